package main

import (
	"regexp"
	"strings"
)

// row is a line of the table of all rules: the name of a rule, and what it finds.
var row = regexp.MustCompile("(?m)^\\| \\[`([^`]+)`\\].*\\| ([^|]+) \\|$")

// splitRules makes a page of each rule, and leaves the table in the page of all.
func (b *book) splitRules(all *page) {
	parts := strings.Split("\n"+string(all.text), "\n## ")
	all.text = []byte(strings.TrimPrefix(parts[0], "\n"))
	titles := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(parts[0], -1) {
		titles[m[1]] = m[2]
	}
	for _, part := range parts[1:] {
		name, body, _ := strings.Cut(part, "\n")
		familyName, _, _ := strings.Cut(name, "/")
		p := &page{source: rulesFile, Path: "rules/" + name + ".html", Title: name, Section: familyName, Rule: true}
		p.text = []byte(rulePage(name, titles[name], body))
		b.pages = append(b.pages, p)
		b.byAnchor[strings.ReplaceAll(name, "/", "")] = p
		if last := len(b.families) - 1; last < 0 || b.families[last].Name != familyName {
			b.families = append(b.families, family{Name: familyName})
		}
		last := &b.families[len(b.families)-1]
		last.Rules = append(last.Rules, p)
	}
}

// rulePage returns the page of a rule, from its section in the page of all: first what the rule is, then why, examples, and sources.
func rulePage(name, title, section string) string {
	description, rest, _ := strings.Cut(section, "\n* Severity:")
	facts, examples, _ := strings.Cut("* Severity:"+rest, "\n\n")
	description = strings.TrimPrefix(strings.TrimSpace(description), strings.TrimSuffix(title, ".")+". ")
	var short, sources []string
	for line := range strings.Lines(facts) {
		if source, ok := strings.CutPrefix(line, "* See "); ok {
			sources = append(sources, "* "+strings.TrimSpace(source))
		} else {
			short = append(short, strings.TrimSpace(line))
		}
	}
	text := "# " + name + "\n\n**" + strings.TrimSuffix(title, ".") + ".**\n\n" + strings.Join(short, "\n") + "\n\n" + description + "\n"
	if examples != "" {
		text += "\n## Examples\n\n" + strings.TrimSpace(examples) + "\n"
	}
	text += silence(name)
	if len(sources) > 0 {
		text += "\n## Sources\n\n" + strings.Join(sources, "\n") + "\n"
	}
	return text
}

// silence is the part of a page that shows how to silence its rule.
func silence(rule string) string {
	return "\n## Silence it\n\nOn the line, or the line above:\n\n```yaml\n# salint:ignore " + rule + " until=2030-01-31 reason\n```\n\n" +
		"In [.salint.yaml](configuration.md), or under `overrides:` for some paths:\n\n```yaml\nrules:\n  " + rule + ": off\n```\n\n" +
		"There are [more ways](fixes.md#silence-a-finding).\n"
}
