package tokentexts

import (
	"bytes"
	"fmt"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
)

// Service accounts of Grafana that controllers other than grafana-operator make: Crossplane's provider, whose kinds are ServiceAccount,
// ServiceAccountToken, and ServiceAccountPermission of a Grafana and the same of a stack of Grafana Cloud, and a generator of External Secrets.
//
// Sources: https://github.com/grafana/crossplane-provider-grafana (apis/oss, apis/cloud), https://external-secrets.io/latest/api/generator/grafana/.
var (
	elsewhereGroup = lazyregexp.New(`(?m)^apiVersion:[ \t]*["']?((?:oss|cloud)\.grafana(?:\.m)?\.crossplane\.io|generators\.external-secrets\.io)/`)
	elsewhereKind  = lazyregexp.New(`(?m)^kind:[ \t]*["']?((?:Stack)?ServiceAccount(?:Token|Permission|PermissionItem)?|Grafana)["']?[ \t\r]*(?:#.*)?$`)
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
	group, kind := elsewhereGroup().FindSubmatch(text), elsewhereKind().FindSubmatchIndex(text)
	if group == nil || kind == nil {
		return f, false
	}
	name := string(text[kind[2]:kind[3]])
	isGenerator := string(group[1]) == "generators.external-secrets.io"
	if isGenerator != (name == "Grafana") {
		return f, false
	}
	message := fmt.Sprintf("not checked: a %s of %s makes a service account of Grafana, or a token of one. Its role, its tokens, and who reads them are unknown", name, group[1])
	return finding.AboutFile(finding.RuleNotChecked, file.Path, finding.RangeIn(file, manifest.Span{Start: start + kind[2], End: start + kind[3]}), message), true
}
