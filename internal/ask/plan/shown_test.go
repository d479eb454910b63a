package plan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
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
	var many []session.Surveyed
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
