package plan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
	mark "github.com/salint/salint/internal/output/markdown"
)

func target(t *testing.T, name string) olm.Target {
	t.Helper()
	found, err := olm.ParseTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// surveyOf returns a survey without findings: the steps then depend only on the extensions and the targets.
func surveyOf(t *testing.T, o Options, extensions ...session.Surveyed) *session.Survey {
	t.Helper()
	targets, err := o.Targets()
	if err != nil {
		t.Fatal(err)
	}
	s := &session.Survey{Targets: targets, Extensions: extensions, Cluster: make([][]finding.Finding, len(targets))}
	for i := range s.Extensions {
		s.Extensions[i].At = make([][]session.Judgment, len(targets))
	}
	return s
}

func extension(name string, account olm.Account) session.Surveyed {
	return session.Surveyed{
		Extension: olm.Extension{Name: name, Namespace: "ops", Account: account}, File: name + ".yaml", Line: 1,
		Unit: &objects.Unit{Kind: objects.PlainUnit, Name: "."},
	}
}

var (
	withAccount = olm.Account{Name: "installer", State: olm.Named}
	withoutOne  = olm.Account{State: olm.Absent}
)

func optionsFor(from, to string) Options {
	return Options{From: from, To: to, AllTargets: true, Rel: func(file string) string { return file }}
}

// The order is the purpose of the plan: nothing is removed from a manifest while the cluster requires it, and nothing is
// missing when the cluster begins to require it.
func TestOrderOfSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, set, unset string }{
		{"olm-1.10", "olm-1.11", "upgrade field check prune", "upgrade"},
		{"olm-1.11", "olm-1.10", "check downgrade", "account check downgrade"},
		{"ocp-4.20-proposed", "ocp-4.21-proposed", "upgrade field check prune", "upgrade"},
		{"ocp-4.21-proposed", "ocp-4.22-proposed", "field check prune upgrade", "upgrade"},
		{"ocp-4.22-proposed", "ocp-4.23-proposed", "field check upgrade prune", "upgrade"},
		{"ocp-4.20-proposed", "ocp-4.23-proposed", "upgrade field check upgrade prune", "upgrade upgrade"},
		{"ocp-4.23-proposed", "ocp-4.22-proposed", "downgrade field check prune", "downgrade"},
		{"ocp-4.22-proposed", "ocp-4.20-proposed", "check downgrade", "account check downgrade"},
		{"ocp-4.23-proposed", "ocp-4.20-proposed", "downgrade check downgrade", "downgrade account check downgrade"},
		{"ocp-4.20-proposed", "ocp-techpreview-proposed", "upgrade grant check prune", "upgrade"},
		{"ocp-techpreview-proposed", "ocp-4.20", "check install", "account check install"},
		{"ocp-techpreview-proposed", "ocp-4.21-proposed", "install field check prune", "install prune"},
		{"ocp-techpreview-proposed", "ocp-4.23-proposed", "field install prune", "install prune"},
		{"ocp-4.20", "ocp-4.21", "upgrade", "upgrade"},
		{"ignored", "synthetic", "downgrade", "downgrade"},
		{"synthetic", "ignored", "upgrade field check prune", "upgrade prune"},
		{"synthetic", "removed", "grant check upgrade prune", "upgrade prune"},
	} {
		o := optionsFor(c.from, c.to)
		for want, account := range map[string]olm.Account{c.set: withAccount, c.unset: withoutOne} {
			p := Build(surveyOf(t, o, extension("harbor", account)), o)
			var done []string
			for _, s := range p.Transitions[0].Steps {
				done = append(done, s.Do)
			}
			if got := strings.Join(done, " "); got != want {
				t.Errorf("%s to %s, account %s: %s; want %s", c.from, c.to, account.State, got, want)
			}
		}
	}
}

func TestEndsWithoutATransition(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{From: "auto", To: "olm-1.10"}, {Columns: []string{"auto"}}, {From: "olm-1.10"}, {From: "olm-1.10", To: "olm-1.10"}, {To: "olm-9"}, {Columns: []string{"+nothing"}}} {
		if _, err := o.Targets(); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	added, err := Options{Columns: []string{"+olm-1.2"}}.Targets()
	if err != nil || len(added) != len(usual())+1 {
		t.Errorf("%d targets, %v: a plus adds to the usual ones", len(added), err)
	}
}

// Other units of a shared file keep the field, and the steps mention them.
func TestFileOfOtherUnits(t *testing.T) {
	t.Parallel()
	goes, stays := &objects.Unit{Kind: objects.KustomizationUnit, Name: "a"}, &objects.Unit{Kind: objects.KustomizationUnit, Name: "b"}
	today := loader.ResolvedTarget{Target: target(t, "olm-1.9"), Known: true}
	e := extension("harbor", withAccount)
	e.Unit, e.Today = goes, today
	e.Applied = []session.Applied{{Unit: goes, Today: today}, {Unit: stays, Today: today}}
	o := optionsFor("", "olm-1.11")
	p := Build(surveyOf(t, o, e), o)
	var notes []string
	for _, s := range p.Transitions[0].Steps {
		notes = append(notes, s.Notes...)
		// A target on the command line would apply to both.
		for _, command := range s.Commands {
			if strings.Contains(command, "--target") {
				t.Errorf("%s: %s", s.Do, command)
			}
		}
	}
	if len(notes) == 0 || !strings.Contains(notes[0], "the kustomization b") || !strings.Contains(notes[0], "overrides:") {
		t.Errorf("the steps do not mention the other unit: %q", notes)
	}
	e.Applied = e.Applied[:1]
	for _, s := range Build(surveyOf(t, o, e), o).Transitions[0].Steps {
		if len(s.Notes) > 0 {
			t.Errorf("there is no other unit: %q", s.Notes)
		}
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	extensions := []Extension{
		{Name: "alone", File: "a.yaml"}, {Name: "", File: "b.yaml", Line: 3},
		{Name: "two", File: "x.yaml", Unit: "the chart x"}, {Name: "two", File: "y.yaml"},
		{Name: "same", File: "z.yaml", Line: 1}, {Name: "same", File: "z.yaml", Line: 9},
	}
	label(extensions)
	var got []string
	for _, e := range extensions {
		got = append(got, e.Label)
	}
	want := []string{"alone", "b.yaml:3", "two (the chart x)", "two (y.yaml)", "same (z.yaml:1)", "same (z.yaml:9)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A comment on a pull request has a limit, and left-out parts are counted.
func TestMarkdownFitsIntoAComment(t *testing.T) {
	t.Parallel()
	o := optionsFor("olm-1.10", "olm-1.11")
	var many []session.Surveyed
	for i := range 2000 {
		many = append(many, extension(fmt.Sprintf("extension-%d-%s", i, strings.Repeat("x", 60)), withAccount))
	}
	var out bytes.Buffer
	survey := surveyOf(t, o, many...)
	for i := range survey.Extensions { // each for a different reason
		survey.Extensions[i].At[1] = []session.Judgment{judgement(ruleDeprecated, finding.Warning, fmt.Sprintf("reason %d", i))}
	}
	if err := Build(survey, o).Markdown(&out); err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCount(out.Bytes()); n > mark.Limit {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(out.String(), "left out to fit into a comment") {
		t.Error("the left-out parts are not mentioned")
	}
}

// Names from manifests are text, and the page loads nothing.
func TestPageContainsNoForeignContent(t *testing.T) {
	t.Parallel()
	o := optionsFor("olm-1.10", "olm-1.11")
	var out bytes.Buffer
	if err := Build(surveyOf(t, o, extension("<script>alert(1)</script>", withAccount)), o).HTML(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, bad := range []string{"<script", "http://", "https://", "ZgotmplZ", " style="} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
}
