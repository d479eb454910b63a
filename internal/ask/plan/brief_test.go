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
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// today returns a known release.
func today(t *testing.T, name string) loader.ResolvedTarget {
	t.Helper()
	return loader.ResolvedTarget{Target: target(t, name), Known: true}
}

// briefly builds the short text of a plan that chooses its targets by the extensions.
func briefly(t *testing.T, s *session.Survey, columns int, found func(name string, on olm.Target) []session.Judgment) string {
	t.Helper()
	o := Options{Rel: func(file string) string { return file }}
	s.Targets = o.Choose(s)
	s.Cluster = make([][]finding.Finding, len(s.Targets))
	for i := range s.Extensions {
		for _, target := range s.Targets {
			s.Extensions[i].At = append(s.Extensions[i].At, found(s.Extensions[i].Name, target))
		}
	}
	var out bytes.Buffer
	if err := Build(s, o).Text(&out, columns); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func deprecatedWhereIgnored(name string, on olm.Target) []session.Judgment {
	if on.Model != olm.Ignored {
		return nil
	}
	found := judgement(ruleDeprecated, finding.Warning, "")
	found.Message = fmt.Sprintf("%s names an account, which has no effect on %s.", name, on.Name)
	found.Fix = &finding.Fix{Kind: finding.Safe}
	return []session.Judgment{found}
}

// Eleven extensions with the same result share the reason and the steps.
func TestElevenExtensionsShareReasonAndSteps(t *testing.T) {
	t.Parallel()
	s := &session.Survey{}
	for i := range 11 {
		e := extension(fmt.Sprintf("extension-%02d", i), withAccount)
		e.Today = today(t, "olm-1.10")
		s.Extensions = append(s.Extensions, e)
	}
	text := briefly(t, s, 0, deprecatedWhereIgnored)
	if n := strings.Count(text, "has no effect"); n != 1 {
		t.Errorf("the reason is given %d times:\n%s", n, text)
	}
	if n := strings.Count(text, "salint lint --fix --target"); n != 1 {
		t.Errorf("the fix is given %d times:\n%s", n, text)
	}
}

// Sentences are as wide as the terminal; commands are never broken. In a pipe, sentences are not broken either.
func TestWidthOfTheTerminal(t *testing.T) {
	t.Parallel()
	for columns, most := range map[int]int{1: minWidth, 60: 60, 180: 180} {
		e := extension("harbor", withAccount)
		e.Today = today(t, "olm-1.10")
		widest := 0
		for line := range strings.SplitSeq(briefly(t, &session.Survey{Extensions: []session.Surveyed{e}}, columns, deprecatedWhereIgnored), "\n") {
			if !strings.Contains(line, "$ ") {
				widest = max(widest, utf8.RuneCountInString(line))
			}
		}
		if widest > most || widest <= most/2 {
			t.Errorf("%d columns: the widest line has %d, want at most %d", columns, widest, most)
		}
	}
}

// Every extension has its own release and the next one; the others are not judged.
func TestOwnReleaseAndTheNextOne(t *testing.T) {
	t.Parallel()
	unknown := loader.ResolvedTarget{}
	for name, c := range map[string]struct {
		today       []loader.ResolvedTarget
		onOpenShift bool
		targets     []string
		rows        []string
	}{
		"known":             {[]loader.ResolvedTarget{today(t, "olm-1.9")}, false, []string{"olm-1.9", "olm-1.10"}, []string{"works works"}},
		"newest":            {[]loader.ResolvedTarget{today(t, "olm-1.11")}, false, []string{"olm-1.11"}, []string{"warns"}},
		"unknown":           {[]loader.ResolvedTarget{unknown}, false, []string{"olm-1.10", "olm-1.11"}, []string{"works warns"}},
		"unknown OpenShift": {[]loader.ResolvedTarget{unknown}, true, []string{"ocp-4.23", "ocp-5.1"}, []string{"works warns"}},
		"a model":           {[]loader.ResolvedTarget{today(t, "required")}, false, []string{"required", "ignored"}, []string{"works warns"}},
		"mixed": {
			[]loader.ResolvedTarget{today(t, "ocp-4.20"), today(t, "olm-1.9"), unknown}, true,
			[]string{"ocp-4.20", "ocp-4.21", "ocp-4.23", "ocp-5.1", "olm-1.9", "olm-1.10"},
			[]string{"works works - - - -", "- - - - works works", "- - works warns - -"},
		},
	} {
		s := &session.Survey{OnOpenShift: c.onOpenShift}
		for i, today := range c.today {
			e := extension(fmt.Sprintf("extension-%d", i), withAccount)
			e.Today = today
			s.Extensions = append(s.Extensions, e)
		}
		text := briefly(t, s, 0, deprecatedWhereIgnored)
		var targets, rows []string
		for _, target := range s.Targets {
			targets = append(targets, target.Name)
		}
		for _, line := range strings.Split(text, "\n")[1 : len(c.rows)+1] {
			rows = append(rows, strings.Join(strings.Fields(line)[1:], " "))
		}
		if diff := cmp.Diff(c.targets, targets); diff != "" {
			t.Errorf("%s: targets (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(c.rows, rows); diff != "" {
			t.Errorf("%s: rows (-want +got):\n%s\n%s", name, diff, text)
		}
	}
}

// Errors that share a fix share its command, and their messages are not repeated in the step.
func TestErrorsAreToldOnce(t *testing.T) {
	t.Parallel()
	s := &session.Survey{}
	for i := range 3 {
		e := extension(fmt.Sprintf("extension-%02d", i), withAccount)
		e.Today = today(t, "olm-1.9")
		s.Extensions = append(s.Extensions, e)
	}
	text := briefly(t, s, 0, func(name string, _ olm.Target) []session.Judgment {
		found := judgement("olm/installer-unbound", finding.Error, "")
		found.Message, found.File = "Nothing is bound to the account of "+name+".", name+".yaml"
		return []session.Judgment{found}
	})
	if n := strings.Count(strings.Join(strings.Fields(text), " "), "Nothing is bound"); n != 1 {
		t.Errorf("the reason is given %d times:\n%s", n, text)
	}
	if want := "$ salint lint --target olm-1.10 extension-00.yaml extension-01.yaml extension-02.yaml\n"; !strings.Contains(text, want) {
		t.Errorf("%q is missing:\n%s", want, text)
	}
	if n := strings.Count(text, "$ salint"); n != 1 {
		t.Errorf("%d commands:\n%s", n, text)
	}
}
