package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/ruledoc"
)

// page returns the documentation of all rules, in Markdown.
func page(list []metadata.Rule) []byte {
	var b bytes.Buffer
	b.WriteString("# Rules\n\nMade by `go generate ./rules` from the METADATA of the policies: edit those.\n\n")
	b.WriteString("| rule | severity | fix | finds |\n|---|---|---|---|\n")
	for _, r := range list {
		severity := r.Severity.String()
		if r.OptIn {
			severity += ", opt-in"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", r.Name, anchor(r.Name), severity, cmp.Or(r.Fix.Kind, "–"), cell(r.Title))
	}
	for _, r := range list {
		fmt.Fprintf(&b, "\n## %s\n\n%s. %s", r.Name, strings.TrimSuffix(r.Title, "."), ruledoc.Help(&r))
	}
	return b.Bytes()
}

// anchor is the ID that Markdown renderers give to a heading: lower case, without punctuation.
func anchor(heading string) string { return strings.ReplaceAll(strings.ToLower(heading), "/", "") }

// cell escapes a text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
