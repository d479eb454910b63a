package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"strings"
)

// BuildPage returns the documentation page of all rules, in Markdown, from the METADATA of the policies.
func BuildPage(policies fs.FS) ([]byte, error) {
	list, err := readRules(policies)
	if err != nil {
		return nil, err
	}
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
		fmt.Fprintf(&b, "\n## %s\n\n%s. %s", r.Name, strings.TrimSuffix(r.Title, "."), r.Help())
	}
	return b.Bytes(), nil
}

// Help returns the documentation of a rule except its title, in Markdown: what it finds and why, how it is fixed, and its
// examples.
func (r *Rule) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Description)
	if r.Rationale != "" {
		fmt.Fprintf(&b, "%s\n\n", r.Rationale)
	}
	fmt.Fprintf(&b, "* Severity: %s\n", severityText(r))
	if kinds := r.judges("every kind that [embeds a pod](workloads.md)"); kinds != "" {
		fmt.Fprintf(&b, "* Checks: %s\n", kinds)
	}
	fmt.Fprintf(&b, "* Fix: %s\n", fixText(r))
	for _, l := range r.Links {
		fmt.Fprintf(&b, "* See [%s](%s)\n", cmp.Or(l.Description, l.URL), l.URL)
	}
	for _, e := range r.Examples {
		for _, part := range partsOf(e) {
			fmt.Fprintf(&b, "\n%s:\n\n```yaml\n%s\n```\n", part.caption, strings.TrimRight(part.text, "\n"))
		}
	}
	return b.String()
}

// anchor is the ID that Markdown renderers give to a heading: lower case, without punctuation.
func anchor(heading string) string { return strings.ReplaceAll(strings.ToLower(heading), "/", "") }

// cell escapes a text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
