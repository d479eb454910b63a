package docs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/test/pages"
)

// yamlOf decodes a file of the repository. In YAML 1.1, the key `on` of a workflow is true.
func yamlOf(t *testing.T, file string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, file))), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// at returns the value under keys.
func at(value any, keys ...string) any {
	for _, key := range keys {
		mapping, _ := value.(map[string]any)
		value = mapping[key]
	}
	return value
}

// TestYAMLOfDocumentation checks the YAML in the pages: calls of the action and of the workflow have inputs that exist, hooks have IDs that
// exist, and settings are valid.
func TestYAMLOfDocumentation(t *testing.T) {
	t.Parallel()
	known := map[string]any{
		"salint/salint@": at(yamlOf(t, "action.yml"), "inputs"),
		"salint/salint/.github/workflows/fleet.yml@": at(yamlOf(t, ".github/workflows/fleet.yml"), "true", "workflow_call", "inputs"),
	}
	var hooks []string
	for _, hook := range yamlOf(t, ".pre-commit-hooks.yaml").([]any) {
		hooks = append(hooks, at(hook, "id").(string))
	}
	counts := map[string]int{}
	for _, page := range pagesOf(t) {
		if filepath.Base(page) == "rules.md" {
			continue // examples of rules, some of which are no YAML; package rules runs them
		}
		for _, block := range pages.Blocks(read(t, page)) {
			var value any
			isTemplate := strings.HasPrefix(block.Text, "{{")
			if block.Language != "yaml" || isTemplate {
				continue
			}
			if err := yaml.Unmarshal([]byte(block.Text), &value); err != nil {
				t.Errorf("%s:%d: %v", page, block.Line, err)
				continue
			}
			walk(value, func(mapping map[string]any) {
				for _, problem := range checkMapping(mapping, known, hooks, counts) {
					t.Errorf("%s:%d: %s", page, block.Line, problem)
				}
			})
			if isSettings(t, value) {
				counts["settings"]++
				if _, err := settings.Parse(page, []byte(block.Text)); err != nil {
					t.Errorf("%s:%d: %v", page, block.Line, err)
				}
			}
		}
	}
	for what, least := range map[string]int{"inputs": 10, "hooks": 2, "settings": 5} {
		if counts[what] < least {
			t.Errorf("only %d %s", counts[what], what)
		}
	}
}

// checkMapping returns what is wrong with a step of a workflow, or a hook.
func checkMapping(mapping map[string]any, known map[string]any, hooks []string, counts map[string]int) (problems []string) {
	uses, _ := mapping["uses"].(string)
	for prefix, inputs := range known {
		with, _ := mapping["with"].(map[string]any)
		for name := range with {
			if !strings.HasPrefix(uses, prefix) {
				continue
			}
			counts["inputs"]++
			if at(inputs, name) == nil {
				problems = append(problems, uses+" has no input "+name)
			}
		}
	}
	id, isText := mapping["id"].(string)
	_, hasArgs := mapping["args"]
	if isText && hasArgs {
		counts["hooks"]++
		if !slices.Contains(hooks, id) {
			problems = append(problems, "there is no hook "+id)
		}
	}
	return problems
}

// walk calls a function for each mapping of a value.
func walk(value any, do func(mapping map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		do(value)
		for _, child := range value {
			walk(child, do)
		}
	case []any:
		for _, child := range value {
			walk(child, do)
		}
	}
}

// isSettings reports whether all keys of a mapping are those of .salint.yaml.
func isSettings(t *testing.T, value any) bool {
	t.Helper()
	var schema struct{ Properties map[string]any }
	if err := yaml.Unmarshal(settings.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	mapping, _ := value.(map[string]any)
	for key := range mapping {
		if schema.Properties[key] == nil {
			return false
		}
	}
	return len(mapping) > 0
}

// TestPageOfTheAction checks that the page has a row for each input and output of the action, and no other.
func TestPageOfTheAction(t *testing.T) {
	t.Parallel()
	page := read(t, filepath.Join(root, "docs", "github-actions.md"))
	for header, key := range map[string]string{"| input | meaning |\n|---|---|\n": "inputs", "| output | is |\n|---|---|\n": "outputs"} {
		_, table, found := strings.Cut(page, header)
		table, _, _ = strings.Cut(table, "\n\n")
		want, _ := at(yamlOf(t, "action.yml"), key).(map[string]any)
		for name := range want {
			if !strings.Contains("\n"+table, "\n| `"+name+"` |") {
				t.Errorf("the page of the action lacks %s in the %s", name, key)
			}
		}
		if rows := strings.Count(table, "\n") + 1; !found || rows != len(want) {
			t.Errorf("the page of the action has %d %s, the action has %d", rows, key, len(want))
		}
	}
}
