package main

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/output/schema"
	"github.com/salint/salint/test/pages"
)

// documentedFields are the sections that document the fields of each schema. A heading has the number signs of its level.
var documentedFields = map[string][2]string{
	"bundle-diff":       {"docs/output.md", "### bundle-diff"},
	"can-i":             {"docs/output.md", "### can-i and who-can"},
	"can-i-list":        {"docs/output.md", "### can-i and who-can"},
	"config":            {"docs/configuration.md", "# Configuration: `.salint.yaml`"},
	"diff":              {"docs/diff.md", "## Formats"},
	"fleet":             {"docs/fleet.md", "### JSON"},
	"fleet-plan":        {"docs/fleet.md", "### Plans for a fleet in JSON"},
	"fleet-finding":     {"docs/fleet.md", "### JSON"},
	"build":             {"docs/output.md", "### build"},
	"graph":             {"docs/output.md", "### graph"},
	"plan":              {"docs/output.md", "### Plans in JSON"},
	"preflight":         {"docs/output.md", "### preflight"},
	"preflight-catalog": {"docs/output.md", "### preflight of a catalog"},
	"report":            {"docs/output.md", "## JSON"},
	"rules":             {"docs/output.md", "### rules"},
	"targets":           {"docs/output.md", "### targets"},
	"uses":              {"docs/output.md", "### uses"},
	"who-can":           {"docs/output.md", "### can-i and who-can"},
	"who-can-become":    {"docs/output.md", "### can-i and who-can"},
}

// sameFields are fields that the documentation describes as having the fields of others.
var sameFields = map[string]map[string]string{
	"bundle-diff": {"shrinkage": "growth"},
	"diff":        {"lost": "gained"},
	"report":      {"suppressed": "findings"},
	"who-can":     {"named": "holders"},
	"preflight":   {"unneeded": "missing", "needed": "missing", "granted": "missing"},
}

// fieldsOfAll are documented once for all commands: the version of the schema, and the fields of a PolicyRule of Kubernetes.
var fieldsOfAll = []string{"schemaVersion", "verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs"}

// TestFieldsAreDocumented checks that the documentation names every field of what commands print as JSON, in the section about the command,
// and that schemas.md lists every schema.
func TestFieldsAreDocumented(t *testing.T) {
	t.Parallel()
	list := readPage(t, "../../docs/schemas.md")
	for _, name := range schema.Names() {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`[^|]*\\|").MatchString(list) {
			t.Errorf("docs/schemas.md does not list %s", name)
		}
		if name == "capabilities" || name == "input" { // the test of rules/inputschema holds the page of the input
			continue
		}
		place, ok := documentedFields[name]
		if !ok {
			t.Errorf("documentedFields has no section for the schema %s", name)
			continue
		}
		passages := passagesOf(sectionOf(t, place[0], place[1]))
		text, err := schema.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatal(err)
		}
		fields := map[string]string{}
		collectFields(tree, "", fields)
		for _, path := range slices.Sorted(maps.Keys(fields)) {
			if !slices.Contains(fieldsOfAll, fields[path]) && !isDocumented(passages, path, sameFields[name]) {
				t.Errorf("%s, %s: the field %s of the schema %s is not documented", place[0], place[1], path, name)
			}
		}
	}
}

// collectFields collects the names of properties by their path in a schema.
func collectFields(node any, path string, fields map[string]string) {
	switch node := node.(type) {
	case map[string]any:
		properties, _ := node["properties"].(map[string]any)
		for name, child := range properties {
			fields[path+"."+name] = name
			collectFields(child, path+"."+name, fields)
		}
		for key, child := range node {
			if key != "properties" {
				collectFields(child, path, fields)
			}
		}
	case []any:
		for _, child := range node {
			collectFields(child, path, fields)
		}
	}
}

// sectionOf returns a section of a page, with the sections below it.
func sectionOf(t *testing.T, page, heading string) string {
	t.Helper()
	_, section, ok := strings.Cut("\n"+readPage(t, "../../"+page), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("%s has no heading %s", page, heading)
	}
	level := strings.Count(strings.Fields(heading)[0], "#")
	var b strings.Builder
	inCode := false
	for line := range strings.Lines(section) {
		inCode = inCode != strings.HasPrefix(line, "```")
		signs := len(line) - len(strings.TrimLeft(line, "#"))
		if !inCode && signs > 0 && signs <= level {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// passagesOf returns the names in the code of each row of a table, item of a list, and paragraph.
func passagesOf(section string) []map[string]bool {
	var passages []map[string]bool
	code, name := regexp.MustCompile("`([^`\n]+)`"), regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`)
	for paragraph := range strings.SplitSeq(block.ReplaceAllString(section, ""), "\n\n") {
		for _, passage := range strings.Split(strings.ReplaceAll(paragraph, "\n| ", "\n\n| "), "\n\n") {
			words := map[string]bool{}
			for _, span := range code.FindAllStringSubmatch(passage, -1) {
				for _, word := range name.FindAllString(span[1], -1) {
					words[word] = true
				}
			}
			passages = append(passages, words)
		}
	}
	return passages
}

// isDocumented reports whether a passage names a field together with the field that contains it, such as gained.holders.subject: the
// passage names holders and subject.
func isDocumented(passages []map[string]bool, path string, same map[string]string) bool {
	names := strings.Split("."+strings.TrimPrefix(path, "."), ".")
	field, container := names[len(names)-1], names[len(names)-2]
	return slices.ContainsFunc(passages, func(words map[string]bool) bool {
		return words[field] && (container == "" || words[container] || words[same[container]])
	})
}

// TestSchemaStoreEntry checks the entry for the catalog of SchemaStore that docs/schemas.md shows: it leads to the schema of .salint.yaml.
func TestSchemaStoreEntry(t *testing.T) {
	t.Parallel()
	for _, example := range pages.Blocks(readPage(t, "../../docs/schemas.md")) {
		if example.Language != "json" {
			continue
		}
		var entry struct {
			Name, Description, URL string
			FileMatch              []string
		}
		var config struct {
			ID string `json:"$id"`
		}
		text, err := schema.Text("config")
		if err := errors.Join(err, json.Unmarshal([]byte(example.Text), &entry), json.Unmarshal(text, &config)); err != nil {
			t.Fatal(err)
		}
		if entry.URL != config.ID || !slices.Equal(entry.FileMatch, []string{".salint.yaml"}) || entry.Name != "salint" || entry.Description == "" {
			t.Errorf("%+v does not lead to %s", entry, config.ID)
		}
		return
	}
	t.Error("docs/schemas.md has no entry")
}
