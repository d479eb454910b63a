package loader

import (
	"bytes"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
)

// Commands, units of systemd, and texts inside of other files also set flags of the control plane, and no rule reads them. These match the flags that
// take something from accounts, outside of comments, and the programs that take them.
var (
	planePrograms = lazyregexp.New(`kube-?apiserver|kube-controller-manager|\bk3s\b|\brke2\b|extra-config`)
	planeFlags    = lazyregexp.New(`(?m)^[^#\n]*(?:disable-admission-plugins["']?[=: \t]["' ]*[\w,]*\bServiceAccount\b|authorization-mode["']?[=: \t]["' ]*[\w,]*\bAlwaysAllow\b|controllers["']?[=: \t]["' ]*[\w*,-]*-(?:serviceaccount|root-ca-cert)|oidc-groups-claim["']?[=: \t])`)
)

// unreadFlags returns the problem of a file that sets flags of the control plane about accounts in a form that is not read. The documents are those of
// a manifest.
func unreadFlags(file repo.File, docs []*manifest.Document) (p Problem, found bool) {
	if !bytes.Contains(file.Data, []byte("-plugins")) && !bytes.Contains(file.Data, []byte("-mode")) && !bytes.Contains(file.Data, []byte("controllers")) && !bytes.Contains(file.Data, []byte("oidc-")) {
		return p, false
	}
	if file.Text {
		return flagsIn(file, 0, len(file.Data))
	}
	for _, doc := range docs {
		if doc.Kind() == "" {
			if p, found = flagsIn(file, doc.Span.Start, doc.Span.End); found {
				return p, true
			}
		}
	}
	return p, false
}

func flagsIn(file repo.File, start, end int) (p Problem, found bool) {
	text := file.Data[start:end]
	at := planeFlags().FindIndex(text)
	if at == nil || !planePrograms().Match(text) {
		return p, false
	}
	p.Message = "flags of the control plane in this form were not checked: rules read those of pods, and of objects and settings of installers"
	p.Offset = start + at[1] - len(bytes.TrimLeft(text[at[0]:at[1]], " \t"))
	p.Position.File = file.Path
	p.Position.Line = 1 + bytes.Count(file.Data[:p.Offset], []byte("\n"))
	p.Position.Column = p.Offset - bytes.LastIndexByte(file.Data[:p.Offset], '\n')
	return p, true
}
