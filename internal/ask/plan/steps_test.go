package plan

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// judged adds findings about an extension on every target with a model.
func judged(t *testing.T, s *session.Survey, model olm.Model, found ...session.Judgment) *session.Survey {
	t.Helper()
	for i, target := range s.Targets {
		if target.Model == model {
			s.Extensions[0].At[i] = found
		}
	}
	return s
}

func judgement(rule string, severity finding.Severity, refused string) session.Judgment {
	return session.Judgment{Finding: finding.Finding{Rule: rule, Severity: severity, File: "harbor.yaml", Message: "bad"}, Refused: refused}
}

// Everything that breaks on the target has a step, whichever rule reports it.
func TestStepForWhatBreaks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to string
		account  olm.Account
		found    session.Judgment
		steps    string
	}{
		"unbound, from where the field was required":  {"required", "synthetic", withoutOne, judgement(ruleUnbound, finding.Error, ""), "grant upgrade"},
		"unbound, from where nobody was impersonated": {"ignored", "synthetic", withoutOne, judgement(ruleUnbound, finding.Error, ""), "grant downgrade"},
		"placeholder without an account":              {"ignored", "olm-1.10", withAccount, judgement(rulePlaceholder, finding.Error, ""), "fix check downgrade"},
		"placeholder with the gate off":               {"ignored", "olm-1.10", withAccount, judgement(ruleGateOff, finding.Warning, ""), "fix check downgrade"},
		"no account on either release":                {"olm-1.9", "olm-1.10", withoutOne, judgement(ruleMissing, finding.Error, ""), "fix upgrade"},
		"a layout that is not served":                 {"olm-1.10", "olm-1.11", withAccount, judgement(ruleLayout, finding.Warning, ""), "fix upgrade field check prune"},
	} {
		o := optionsFor(c.from, c.to)
		to := target(t, c.to)
		p := Build(judged(t, surveyOf(t, o, extension("harbor", c.account)), to.Model, c.found), o)
		var done []string
		for _, s := range p.Transitions[0].Steps {
			done = append(done, s.Do)
		}
		if got := strings.Join(done, " "); got != c.steps {
			t.Errorf("%s: %s; want %s", name, got, c.steps)
		}
		if got := p.Extensions[0].Cells[len(p.Targets)-1].Status; got != Breaks {
			t.Errorf("%s: %s; want %s", name, got, Breaks)
		}
	}
}

// The gate of the placeholder is off by default, so the extension possibly fails.
func TestPlaceholderWithUnknownGate(t *testing.T) {
	t.Parallel()
	if got := statusOf(judgement(rulePlaceholder, finding.Note, ""), target(t, "olm-1.10")); got != Warns {
		t.Errorf("a note about the placeholder %s, want %s", got, Warns)
	}
}

// If the needs of an extension are unknown, the plan can keep the permissions that OLM has for it today.
func TestGrantForUnknownNeeds(t *testing.T) {
	t.Parallel()
	refused := judgement(ruleMissing, finding.Error, "it is not known what the account needs: say which ClusterRole by --grant role=NAME")
	for name, c := range map[string]struct {
		from, to string
		bundles  map[string]string
		found    session.Judgment
		want     string
	}{
		"as OLM today": {"olm-1.11", "olm-1.10", nil, refused, "salint lint --fix --grant role=cluster-admin --target olm-1.10 harbor.yaml"},
		"by its bundle": {
			"olm-1.11", "olm-1.10", map[string]string{"harbor": ""}, refused,
			"salint lint --fix --grant least-privilege --target olm-1.10 harbor.yaml",
		},
		"by a bundle of the command line": {
			"olm-1.11", "olm-1.10", map[string]string{"harbor": "harbor=b"}, refused,
			"salint lint --fix --grant least-privilege --bundle harbor=b --target olm-1.10 harbor.yaml",
		},
		"nobody knows": {"synthetic", "required", nil, refused, ""},
		"known":        {"olm-1.11", "olm-1.10", nil, judgement(ruleMissing, finding.Error, ""), "salint lint --fix --target olm-1.10 harbor.yaml"},
	} {
		o := optionsFor(c.from, c.to)
		o.Bundles = c.bundles
		p := Build(judged(t, surveyOf(t, o, extension("harbor", withoutOne)), olm.Required, c.found), o)
		step := p.Transitions[0].Steps[0]
		if got := strings.Join(step.Commands[1:], "\n"); got != c.want {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
		if open := c.bundles == nil && c.found.Refused != ""; open != strings.Contains(strings.Join(step.Notes, " "), "--grant role=NAME") {
			t.Errorf("%s: notes %q", name, step.Notes)
		}
	}
}

// The patch removes the account that the manifest named, and not one that someone else set.
func TestPatchOfLiveObjects(t *testing.T) {
	t.Parallel()
	for want, accounts := range map[string][]olm.Account{
		`[{"op":"test","path":"/spec/serviceAccount/name","value":"installer"},{"op":"remove","path":"/spec/serviceAccount"}]`: {withAccount, withAccount},
		`[{"op":"remove","path":"/spec/serviceAccount"}]`:                                                                      {withAccount, {Name: "other", State: olm.Named}},
	} {
		o := optionsFor("olm-1.10", "olm-1.11")
		p := Build(surveyOf(t, o, extension("harbor", accounts[0]), extension("harbor", accounts[1])), o)
		commands := p.Transitions[0].Steps[2].Commands
		last := commands[len(commands)-1]
		if !strings.HasSuffix(last, "--type=json '-p="+want+"'") {
			t.Errorf("%s; want %s", last, want)
		}
	}
}
