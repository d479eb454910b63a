package ruledoc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules/metadata"
)

// Explain writes the documentation of a rule: what it finds and why, its severity, a bad and a good example, how it is
// fixed, and how it is silenced.
func Explain(w io.Writer, r metadata.Rule) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", r.Name, r.Title, r.Description)
	if r.Rationale != "" {
		fmt.Fprintf(&b, "\nWhy: %s\n", r.Rationale)
	}
	fmt.Fprintf(&b, "\nSeverity: %s\n", severityText(&r))
	if kinds := checkedKinds(&r, "every kind that embeds a pod (docs/workloads.md)"); kinds != "" {
		fmt.Fprintf(&b, "Checks:   %s\n", kinds)
	}
	fmt.Fprintf(&b, "Fix:      %s\n", fixText(&r))
	if text := parametersText(&r); text != "" {
		fmt.Fprintf(&b, "\nParameters\n\n%s\n", indent(text))
	}
	for _, e := range r.Examples {
		for _, part := range partsOf(e) {
			fmt.Fprintf(&b, "\n%s\n\n%s\n", part.caption, indent(part.text))
		}
	}
	fmt.Fprintf(&b, "\nSilence it\n\n%s\n", indent(silencing(r.Name)))
	if len(r.Links) > 0 {
		fmt.Fprintf(&b, "\nRead on\n\n%s\n", indent(linkLines(r.Links)))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// List writes one line for each rule: name, severity, whether it has a fix, title.
func List(w io.Writer, rules []metadata.Rule) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rules {
		severity := r.Severity.String()
		if r.OptIn {
			severity += " (opt-in)"
		}
		if _, err := fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, severity, fixColumn(&r), r.Title); err != nil {
			return err
		}
	}
	return t.Flush()
}

// fixColumn is the kind of the fix in a list. Where the rule sets it, it differs.
func fixColumn(r *metadata.Rule) string {
	if r.Fix.Name == "" && r.ComputesFix {
		return "varies"
	}
	return cmp.Or(r.Fix.Kind, "-")
}

func severityText(r *metadata.Rule) string {
	text := r.Severity.String()
	if r.OptIn {
		text += ", only when enabled: --enable " + r.Name
	}
	return text
}

// fixText describes what fixes the rule's findings, and with which flags.
func fixText(r *metadata.Rule) string {
	flags := map[string]string{
		string(finding.Safe):   "--fix",
		string(finding.Unsafe): "--fix --unsafe-fixes",
		string(finding.Prune):  "--fix --prune",
	}
	if r.Fix.Name == "" && r.ComputesFix {
		return "the rule sets one for each finding"
	}
	if r.Fix.Name == "" {
		return "none; fix it by hand, as the message describes"
	}
	text := r.Fix.Kind + ", applied by salint lint " + flags[r.Fix.Kind]
	if r.Fix.Description != "" {
		text += ": " + r.Fix.Description
	}
	return text
}

// parametersText returns the schema of the parameters of a rule as YAML, one parameter after the other; "" if there are none.
func parametersText(r *metadata.Rule) string {
	var schema struct {
		Properties map[string]any `json:"properties"`
		Required   []string       `json:"required"`
	}
	if r.Parameters == nil || json.Unmarshal(r.Parameters, &schema) != nil {
		return ""
	}
	text, err := yaml.Marshal(schema.Properties)
	if err != nil {
		return ""
	}
	if len(schema.Required) > 0 {
		return string(text) + "# required: " + strings.Join(schema.Required, ", ") + "\n"
	}
	return string(text)
}

func captionOf(e metadata.Example) string {
	caption := "Good"
	if e.Bad {
		caption = "Bad"
	}
	if e.Target != "" {
		caption += " (" + e.Target + ")"
	}
	if e.Why != "" {
		caption += ": " + e.Why
	}
	return caption
}

// examplePart is a part of an example, with its caption.
type examplePart struct{ caption, text string }

func partsOf(e metadata.Example) []examplePart {
	parts := []examplePart{{captionOf(e), e.Text}}
	if e.With != nil {
		if text, err := yaml.Marshal(e.With); err == nil {
			parts = append(parts, examplePart{"with these parameters", string(text)})
		}
	}
	switch {
	case e.Base != "" && e.Bundle == "":
		return append(parts, examplePart{"with these manifests at the base revision", e.Base})
	case e.Base != "":
		parts = append(parts, examplePart{"with this bundle at the base revision", e.Base})
	}
	switch {
	case e.Base != "":
		parts = append(parts, examplePart{"and this one now", e.Bundle})
	case e.Bundle != "":
		parts = append(parts, examplePart{"with this bundle", e.Bundle})
	}
	return parts
}

// silencing shows the ways to silence a rule, the narrowest first.
func silencing(name string) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 5, ' ', 0)
	for _, way := range [][2]string{
		{"# salint:ignore " + name + " until=2030-01-31 reason", "on the line, or the line above"},
		{"# salint:ignore-file " + name + " reason", "anywhere in the file"},
		{"salint/ignore: " + name, "as an annotation of the object"},
		{"rules: {" + name + ": off}", "in .salint.yaml, or under overrides for some paths"},
		{"salint lint --disable " + name, "for one run"},
	} {
		fmt.Fprintf(t, "%s\t%s\n", way[0], way[1])
	}
	// Writing into a strings.Builder cannot fail.
	_ = t.Flush()
	return b.String()
}

func linkLines(links []metadata.Link) string {
	var lines []string
	for _, l := range links {
		lines = append(lines, strings.TrimPrefix(l.Description+": "+l.URL, ": "))
	}
	return strings.Join(lines, "\n")
}

func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "    " + line
		}
	}
	return strings.Join(lines, "\n")
}

// checkedKinds describes the kinds of the rule; ofPods is the text for those that embed a pod.
func checkedKinds(r *metadata.Rule, ofPods string) string {
	if r.All {
		return "objects of every kind"
	}
	kinds := slices.Clone(r.Kinds)
	if r.Workloads {
		known := metadata.WorkloadKeys(nil)
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return slices.Contains(known, kind) })
		kinds = append([]string{ofPods}, kinds...)
	}
	return strings.Join(kinds, ", ")
}

// Help returns the documentation of a rule except its title, in Markdown: what it finds and why, how it is fixed, and its
// examples.
func Help(r *metadata.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Description)
	if r.Rationale != "" {
		fmt.Fprintf(&b, "%s\n\n", r.Rationale)
	}
	fmt.Fprintf(&b, "* Severity: %s\n", severityText(r))
	if kinds := checkedKinds(r, "every kind that [embeds a pod](workloads.md)"); kinds != "" {
		fmt.Fprintf(&b, "* Checks: %s\n", kinds)
	}
	fmt.Fprintf(&b, "* Fix: %s\n", fixText(r))
	if text := parametersText(r); text != "" {
		fmt.Fprintf(&b, "\nParameters:\n\n```yaml\n%s```\n\n", text)
	}
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
