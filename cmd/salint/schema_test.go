package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/output/schema"
	"github.com/salint/salint/test/jsonschema"
)

// validators returns the validators of all schemas, which accept no field that the schemas do not have.
func validators(t *testing.T) map[string]*jsonschema.Validator {
	t.Helper()
	all := map[string]*jsonschema.Validator{}
	for _, name := range schema.Names() {
		if name == "capabilities" { // in a format of OPA
			continue
		}
		text, err := schema.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		if all[name], err = jsonschema.NewValidator(text, true); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

// schemaOf returns the name of the schema of what a command line prints; "" if it does not print JSON.
func schemaOf(line string) string {
	args := strings.Fields(line)
	joined := " " + strings.ReplaceAll(line, "=", " ") + " "
	if !strings.Contains(joined, " --format json ") && !strings.Contains(joined, " -o json ") || strings.Contains(joined, " --help ") {
		return ""
	}
	switch {
	case args[0] == "lint" && !strings.Contains(joined, " --diff "):
		return "report"
	case args[0] == "can-i" && strings.Contains(joined, " --list "):
		return "can-i-list"
	case args[0] == "who-can" && strings.Contains(joined, " --become "):
		return "who-can-become"
	case args[0] == "plan" && strings.Contains(joined, " --reports "):
		return "fleet-plan"
	case args[0] == "preflight" && strings.Contains(joined, " --catalog "):
		return "preflight-catalog"
	case args[0] == "policy": // the result of tests is for people
		return ""
	case args[0] == "report":
		return "fleet"
	case args[0] == "lint":
		return ""
	}
	return args[0]
}

// Everything that the golden cases print as JSON has the schema of its command, and every schema describes something that they print.
func TestJSONHasItsSchema(t *testing.T) {
	t.Parallel()
	all, checked := validators(t), map[string]int{}
	for _, name := range fixtures.Names(t) {
		out := fixtures.Read(t, name)["out"]
		for run := range strings.SplitSeq("\n"+out, "\n$ salint ") {
			line, text, _ := strings.Cut(run, "\n")
			of := ""
			if line != "" {
				of = schemaOf(line)
			}
			text, _, _ = strings.Cut("\n"+text, "\n[standard error]")
			text, _, _ = strings.Cut(text, "\n[exit code")
			if of == "" || strings.TrimSpace(text) == "" {
				continue // an error has no JSON
			}
			validator := all[of]
			if validator == nil {
				t.Errorf("%s: there is no schema for salint %s", name, line)
				continue
			}
			if err := validator.Validate(text); err != nil {
				t.Errorf("%s: salint %s: %v", name, line, err)
			}
			checked[of]++
		}
	}
	rules := strings.TrimSuffix(runLine(t.TempDir(), "rules --format json"), "[exit code 0]\n")
	if err := all["rules"].Validate(rules); err != nil {
		t.Errorf("salint rules: %v", err)
	}
	checked["rules"]++
	for _, name := range schema.Names() {
		if checked[name] == 0 && !slices.Contains([]string{"config", "fleet-finding", "input", "capabilities"}, name) {
			t.Errorf("no golden case prints what the schema %s describes", name)
		}
	}
}

// Every command that prints JSON has a schema.
func TestEveryJSONHasASchema(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, c := range newCommand().app().Commands {
		for _, flag := range c.Flags {
			if !slices.Contains(flag.Names(), "format") || !strings.Contains(flag.String(), "json") {
				continue
			}
			checked++
			if name := schemaOf(c.Name + " --format json"); !slices.Contains(schema.Names(), name) {
				t.Errorf("salint %s --format json has no schema", c.Name)
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d commands print JSON", checked)
	}
}

// A schema rejects what is not as it describes: otherwise the test above would prove nothing.
func TestSchemasReject(t *testing.T) {
	t.Parallel()
	all := validators(t)
	for name, text := range map[string]string{
		"report": `{"schemaVersion": "1", "findings": []}`, "rules": `{"schemaVersion": "2", "rules": []}`, "config": `{"targets": "olm-1.11"}`,
		"targets": `[]`, "graph": `{"schemaVersion": "1", "units": [], "nodes": null, "edges": [], "left": 0, "doubts": []}`,
	} {
		if err := all[name].Validate(text); err == nil {
			t.Errorf("%s accepts %s", name, text)
		}
	}
}

// The IDs are the addresses at which the files are served, and every schema accepts fields that later versions add.
func TestSchemaCommand(t *testing.T) {
	t.Parallel()
	for _, name := range schema.Names() {
		if name == "capabilities" { // in a format of OPA
			continue
		}
		text := strings.TrimSuffix(runLine(t.TempDir(), "schema "+name), "[exit code 0]\n")
		var read struct {
			Schema string `json:"$schema"`
			ID     string `json:"$id"`
		}
		if err := json.Unmarshal([]byte(text), &read); err != nil || read.Schema == "" {
			t.Errorf("%s: %v, or no $schema", name, err)
		}
		file := fmt.Sprintf("internal/output/schema/%s.json", name)
		if other := map[string]string{"config": "internal/config/settings/schema.json", "input": "rules/inputschema/input.json"}[name]; other != "" {
			file = other
		}
		const served = "https://raw.githubusercontent.com/salint/salint/main/"
		if read.ID != served+file || readPage(t, "../../"+file) != text {
			t.Errorf("%s: $id is %s", name, read.ID)
		}
		if name != "config" && name != "input" && strings.Contains(text, `"additionalProperties": false`) {
			t.Errorf("%s rejects fields that a later version adds", name)
		}
	}
	for line, want := range map[string]string{"schema": "takes one name", "schema repot": "report", "schema a b": "takes one name"} {
		if out := runLine(t.TempDir(), line); !strings.Contains(out, want) || !strings.Contains(out, "[exit code 2]") {
			t.Errorf("salint %s: %s", line, out)
		}
	}
}
