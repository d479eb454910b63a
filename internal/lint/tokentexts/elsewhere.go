package tokentexts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/controlled"
)

// What shows the group and kind of a document in its bytes, and the type of a resource of Terraform.
var (
	groupOf = lazyregexp.New(`(?m)^apiVersion:[ \t]*["']?([a-z0-9.-]+)/`)
	// ofGrafana matches resources of Terraform's provider: https://registry.terraform.io/providers/grafana/grafana/latest/docs
	ofGrafana = lazyregexp.New(`(?m)^[ \t]*(?:resource[ \t]+)?"?(grafana_(?:cloud_stack_)?service_account(?:_\w+)?)"?(?:[ \t]+"?[\w-]+"?[ \t]*\{|[ \t]*:[ \t]*\{)`)
	kindOf    = lazyregexp.New(`(?m)^kind:[ \t]*["']?(\w+)["']?[ \t\r]*(?:#.*)?$`)
)

func mayMakeElsewhere(data []byte) bool {
	return bytes.Contains(data, []byte("rafana")) && (bytes.Contains(data, []byte("service_account")) || bytes.Contains(data, []byte(".crossplane.io/")) || bytes.Contains(data, []byte("generators.external-secrets.io/")))
}

// madeByTerraform returns notes about the same in modules of Terraform.
func madeByTerraform(file *manifest.File) []finding.Finding {
	isModule := slices.ContainsFunc([]string{".tf", ".tofu", ".tf.json", ".tofu.json"}, func(end string) bool { return strings.HasSuffix(file.Path, end) })
	if !isModule || textpaths.IsOfTests(file.Path) {
		return nil
	}
	var found []finding.Finding
	for _, at := range ofGrafana().FindAllSubmatchIndex(file.Data, -1) {
		what := fmt.Sprintf("a %s of Terraform", file.Data[at[2]:at[3]])
		found = append(found, notChecked(file, manifest.Span{Start: at[2], End: at[3]}, what))
	}
	return found
}

// notChecked is a note about what makes a service account of Grafana.
func notChecked(file *manifest.File, at manifest.Span, what string) finding.Finding {
	message := fmt.Sprintf("not checked: %s makes a service account of Grafana, or a token of one. Its role, its tokens, and who reads them are unknown", what)
	return finding.AboutFile(finding.RuleNotChecked, file.Path, finding.RangeIn(file, at), message)
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
	return notChecked(file, manifest.Span{Start: start + kind[2], End: start + kind[3]}, fmt.Sprintf("a %s of %s", name, group[1])), true
}
