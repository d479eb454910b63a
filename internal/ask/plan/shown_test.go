package plan

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/rules"
)

// A downgrade needs the field, so no command beside it removes the field.
func TestNoCommandWhereTheTransitionBegins(t *testing.T) {
	t.Parallel()
	const fix = "salint lint --fix --target olm-1.11 harbor.yaml"
	for name, c := range map[string]struct {
		options Options
		want    string
	}{
		"down":         {optionsFor("olm-1.11", "olm-1.10"), ""},
		"up":           {optionsFor("olm-1.10", "olm-1.11"), fix},
		"both":         {Options{AllTargets: true, Columns: []string{"olm-1.10", "olm-1.11"}, Rel: optionsFor("", "").Rel}, fix},
		"as a release": {Options{AllTargets: true, From: "olm-1.11", To: "olm-1.10", Columns: []string{"olm-1.11"}, Rel: optionsFor("", "").Rel}, ""},
	} {
		found := judgement(ruleDeprecated, finding.Warning, "")
		found.Fix = &finding.Fix{Kind: finding.Safe}
		p := Build(judged(t, surveyOf(t, c.options, extension("harbor", withAccount)), olm.Ignored, found), c.options)
		for _, cell := range p.Extensions[0].Cells {
			if cell.Target.Model == olm.Ignored && (cell.Command != c.want || cell.Origin != (c.want == "")) {
				t.Errorf("%s: %q, origin %t; want %q", name, cell.Command, cell.Origin, c.want)
			}
		}
		var out [3]bytes.Buffer
		if err := errors.Join(p.Text(&out[0], 0), p.Markdown(&out[1]), p.HTML(&out[2])); err != nil {
			t.Fatal(err)
		}
		for _, format := range out {
			if hint := strings.Contains(format.String(), "Do not change this yet"); hint != (c.want == "") {
				t.Errorf("%s: hint %t in %s", name, hint, format.String())
			}
		}
	}
}

// A step is one box of the page, however many extensions it has.
func TestOneBoxForEachStep(t *testing.T) {
	t.Parallel()
	o := optionsFor("olm-1.10", "olm-1.11")
	var many []lint.Surveyed
	for i := range 40 {
		many = append(many, extension(fmt.Sprintf("extension-%02d", i), withAccount))
	}
	p := Build(surveyOf(t, o, many...), o)
	var out bytes.Buffer
	if err := p.HTML(&out); err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, s := range p.Transitions[0].Steps {
		if len(s.Commands) > 0 {
			steps++
		}
		if most := maxLive + 2; len(s.Commands) > most {
			t.Errorf("%s: %d commands; want %d at most", s.Do, len(s.Commands), most)
		}
	}
	if got := strings.Count(out.String(), `<pre tabindex="0" class="command`); got != steps {
		t.Errorf("%d boxes for %d steps with commands", got, steps)
	}
}

// The step that prunes applies no other fixes, except those about the field, which the steps before applied.
func TestPruneStepFixesNothingElse(t *testing.T) {
	t.Parallel()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var disabled []string
	for i, flag := range pruneFlags {
		if flag == "--disable" {
			disabled = append(disabled, pruneFlags[i+1])
		}
	}
	enabled, err := registry.Select(nil, disabled)
	if err != nil {
		t.Fatal(err)
	}
	aboutTheField := []string{"add-service-account", "bind-synthetic-identity", "remove-service-account"}
	pruning := 0
	for _, name := range enabled {
		rule, _, _ := registry.Find(name)
		switch fix := rule.Fix; {
		case finding.FixKind(fix.Kind) == finding.Prune:
			pruning++
		case finding.FixKind(fix.Kind) == finding.Safe && !slices.Contains(aboutTheField, fix.Name):
			t.Errorf("%s is not disabled, so its fix %s would be applied too", name, fix.Name)
		}
	}
	if pruning == 0 {
		t.Error("no rule prunes")
	}
}
