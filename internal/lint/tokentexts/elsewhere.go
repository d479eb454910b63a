package tokentexts

import (
	"bytes"
	"fmt"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/controlled"
)

// What shows the group and kind of a document in its bytes.
var (
	groupOf = lazyregexp.New(`(?m)^apiVersion:[ \t]*["']?([a-z0-9.-]+)/`)
	kindOf  = lazyregexp.New(`(?m)^kind:[ \t]*["']?(\w+)["']?[ \t\r]*(?:#.*)?$`)
)

func mayMakeElsewhere(data []byte) bool {
	return bytes.Contains(data, []byte("rafana")) && (bytes.Contains(data, []byte(".crossplane.io/")) || bytes.Contains(data, []byte("generators.external-secrets.io/")))
}

// madeElsewhere returns notes about service accounts of Grafana that no rule checks.
func madeElsewhere(file *manifest.File) []finding.Finding {
	if !mayMakeElsewhere(file.Data) || textpaths.IsDocument(file.Path) || textpaths.IsOfTests(file.Path) {
		return nil
	}
	var found []finding.Finding
	for start := 0; start < len(file.Data); {
		end := len(file.Data)
		if i := bytes.Index(file.Data[start:], []byte("\n---")); i >= 0 {
			end = start + i + 1
		}
		if f, is := madeIn(file, start, end); is {
			found = append(found, f)
		}
		start = end
		if i := bytes.IndexByte(file.Data[start:], '\n'); end < len(file.Data) && i >= 0 {
			start += i
		} else {
			break
		}
	}
	return found
}

func madeIn(file *manifest.File, start, end int) (f finding.Finding, is bool) {
	text := file.Data[start:end]
	group, kind := groupOf().FindSubmatch(text), kindOf().FindSubmatchIndex(text)
	if group == nil || kind == nil {
		return f, false
	}
	name := string(text[kind[2]:kind[3]])
	if !controlled.MakesGrafanaAccount(string(group[1]), name) {
		return f, false
	}
	message := fmt.Sprintf("not checked: a %s of %s makes a service account of Grafana, or a token of one. Its role, its tokens, and who reads them are unknown", name, group[1])
	return finding.AboutFile(finding.RuleNotChecked, file.Path, finding.RangeIn(file, manifest.Span{Start: start + kind[2], End: start + kind[3]}), message), true
}
