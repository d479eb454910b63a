package ruledoc

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/salint/salint/rules/metadata"
)

// Page returns the documentation of rules in Markdown: a title, an introduction, a table, and a section for each rule. Links lead to pages
// beside it, or with a base to pages below that address.
func Page(title, introduction, base string, list []metadata.Rule) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", title)
	if introduction != "" {
		fmt.Fprintf(&b, "%s\n\n", introduction)
	}
	b.WriteString("| rule | severity | fix | finds |\n|---|---|---|---|\n")
	for _, r := range list {
		severity := r.Severity.String()
		if r.OptIn {
			severity += ", opt-in"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", r.Name, anchor(r.Name), severity, cmp.Or(r.Fix.Kind, "–"), cell(r.Title))
	}
	for _, r := range list {
		help := Help(&r)
		if base != "" {
			help = strings.ReplaceAll(help, "(workloads.md)", "("+base+"workloads.md)")
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s. %s", r.Name, strings.TrimSuffix(r.Title, "."), help)
	}
	return b.Bytes()
}

// anchor is the ID that Markdown renderers give to a heading: lower case, without punctuation.
func anchor(heading string) string { return strings.ReplaceAll(strings.ToLower(heading), "/", "") }

// cell escapes a text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
