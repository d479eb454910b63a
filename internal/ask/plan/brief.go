package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/output/alike"
)

// brief writes the short form of a plan: the table, one reason for all extensions to which it applies, and the steps without
// their background.
func (t *text) brief() {
	t.table(t.plan.briefGroups(t.columns))
	t.releases()
	t.reasons()
	t.cluster()
	told := map[string]string{}
	for _, transition := range t.plan.Transitions {
		t.briefTransition(transition, told)
	}
	for _, names := range t.plan.Unchanged {
		fmt.Fprintln(t)
		t.wrapped("", t.plan.unchangedSentence(names))
	}
	fmt.Fprintln(t)
	t.wrapped("", "With --all-targets: every release, the background of each step, and the patches for live objects.")
}

// releases writes which releases the extensions are on today, and how that is known.
func (t *text) releases() {
	if !t.plan.perExtension {
		return
	}
	var known []string
	seen := map[string]bool{}
	for _, e := range t.plan.Extensions {
		if e.Today == nil || seen[e.Today.Name] {
			continue
		}
		seen[e.Today.Name] = true
		var same []*Extension
		for _, other := range all(t.plan.Extensions) {
			if other.Today != nil && other.Today.Name == e.Today.Name {
				same = append(same, other)
			}
		}
		name := e.Today.Name + ": " + counted(same)
		if e.DetectedFrom != "" {
			name += " (" + e.DetectedFrom + ")"
		}
		known = append(known, name)
	}
	fmt.Fprintln(t)
	if len(known) > 0 {
		t.wrapped("", "Today "+strings.Join(known, "; ")+".")
	}
	t.unknownRelease()
}

// unknownRelease explains the targets of extensions whose release is unknown.
func (t *text) unknownRelease() {
	unknown := t.plan.Undecided()
	if len(unknown) == 0 {
		return
	}
	i := slices.IndexFunc(t.plan.Extensions, func(e Extension) bool { return e.Today == nil })
	l := t.plan.Extensions[i].leg
	command := olm.UpstreamReleaseCommand
	if l.from.OpenShift() {
		command = olm.OpenShiftReleaseCommand
	}
	var paths []string
	for _, e := range t.plan.Extensions {
		paths = append(paths, e.settable...)
	}
	overrides := settings.SuggestTargets(paths)
	setting := "`target:`"
	if strings.Count(overrides, "\n- ") > 1 || len(unknown) < len(t.plan.Extensions) {
		setting = "it for these paths under `overrides:`"
	}
	t.wrapped("", fmt.Sprintf("The release of %s is unknown: %s is the last one that requires the field, and after the update to %s it is ignored. "+
		"Find the release with this command, and set %s in .salint.yaml:", t.plan.namesOf(t.plan.labeled(unknown)), l.from.Name, l.to.Name, setting))
	t.line("  $ ", command)
	if setting == "`target:`" {
		return
	}
	for line := range strings.SplitSeq(overrides, "\n") {
		t.line("  ", line)
	}
}

// reason is why extensions do not simply work. It is in the words of the first one.
type reason struct {
	outcome
	extensions []*Extension
	hint       string
	// commands are the commands of the extensions for which no step of the plan leads to the target.
	commands commandline.List
}

// reasons writes why extensions do not simply work, each reason once, the most severe first.
func (t *text) reasons() {
	all := t.plan.reasons(t.columns)
	for i, r := range all {
		if i == 0 {
			fmt.Fprintln(t)
		}
		t.wrapped(fmt.Sprintf("%-7s", shown(r.Status)), fmt.Sprintf("%s on %s: %s", t.plan.who(r), strings.Join(r.targets, ", "), sentence(r.Reason, r.Rule))+otherAccounts(r.extensions, r.Reason))
		if r.hint != "" {
			t.wrapped("       ", r.hint)
		}
		if len(r.commands) == 0 {
			continue
		}
		for _, hint := range []string{r.refusal(), r.Shared} {
			if hint != "" {
				t.wrapped("       ", hint)
			}
		}
		t.wrapped("       ", r.moment()+":")
		for _, command := range r.commands.Lines(t.plan.lintOf) {
			t.line("       $ ", command)
		}
	}
}

// who names the extensions of a reason, and says that the words are those for the first one.
func (p *Plan) who(r reason) string {
	if len(r.extensions) == 1 {
		return r.extensions[0].titleWithPlace()
	}
	return p.which(r.extensions) + ","
}

func (p *Plan) reasons(columns []column) []reason {
	covered := p.ends()
	var found []reason
	of := map[string]int{}
	for _, e := range all(p.Extensions) {
		for _, o := range p.outcomes(*e, columns) {
			if o.Status == Works {
				continue
			}
			hint := p.hint(*e, o)
			key := strings.Join([]string{string(o.Status), o.Rule, strings.Join(o.targets, ","), alike.Shape(e.unnamed(o.Reason)), hint}, "\x00")
			i, known := of[key]
			if !known {
				i, of[key] = len(found), len(found)
				found = append(found, reason{outcome: o, hint: hint})
			}
			found[i].extensions = append(found[i].extensions, e)
			if o.Command != "" && !slices.ContainsFunc(o.targets, func(name string) bool { return covered[end{e.Label, name}] }) {
				found[i].commands.Add(o.prepare.Target, o.prepare.Flags, o.prepare.Files)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b reason) int { return rank(b.Status) - rank(a.Status) })
	return found
}

// end is an extension and a target to which a transition of it leads.
type end struct{ label, target string }

// ends returns all extensions with the targets for which the steps of a transition change the field.
func (p *Plan) ends() map[end]bool {
	leads := map[end]bool{}
	for _, t := range p.Transitions {
		for _, label := range t.Extensions {
			leads[end{label, t.To.Name}], leads[end{label, t.Via}] = true, true
			if clearsFirst(t.From, t.To) {
				leads[end{label, t.From.Name}] = true
			}
		}
	}
	return leads
}

// hint returns what to know before acting on a reason: it may not apply at all, or the steps contain the change.
func (p *Plan) hint(e Extension, o outcome) string {
	if p.perExtension && e.Today == nil && o.Target.Name == e.leg.from.Name {
		return "This applies only if the cluster runs " + o.Target.Name + " or an earlier release."
	}
	return o.origin()
}

// briefTransition writes the steps of a transition. What a step says that an earlier one said is replaced by a reference; told has these
// texts, with the step of each.
func (t *text) briefTransition(tr Transition, told map[string]string) {
	fmt.Fprintln(t)
	about := ""
	if len(tr.Extensions) < len(t.plan.Extensions) {
		about = ", for " + t.plan.namesOf(t.plan.labeled(tr.Extensions))
	}
	if len(tr.Steps) == 0 {
		t.wrapped("", title(tr)+about+": nothing to do.")
		return
	}
	t.wrapped("", title(tr)+about+":")
	said := t.said()
	for i, s := range tr.Steps {
		mark := fmt.Sprintf("  %d. ", i+1)
		t.wrapped(mark, s.Title+kindOf(s)+".")
		indent := strings.Repeat(" ", len(mark))
		t.once(told, reference(i, tr), indent, s.Brief)
		for _, line := range t.plan.briefEffects(s.Effects) {
			t.wrapped(indent+"- ", line)
		}
		for _, command := range s.Commands[:len(s.Commands)-s.Details] {
			t.line(indent+"$ ", command)
		}
		if s.Details > 0 {
			continue // the notes are about these commands
		}
		for _, note := range s.Notes {
			if s.Do != doFixErrors || !said[note] {
				t.once(told, "the note of "+reference(i, tr), indent+"! ", note)
			}
		}
	}
}

// reference names the i-th step of a transition.
func reference(i int, tr Transition) string {
	if tr.From.Name == tr.To.Name {
		return fmt.Sprintf("step %d on %s", i+1, tr.To.Name)
	}
	return fmt.Sprintf("step %d of %s → %s", i+1, tr.From.Name, tr.To.Name)
}

// once writes a text that an earlier step did not write, otherwise where it is, if that is shorter.
func (t *text) once(told map[string]string, here, mark, text string) {
	if text == "" {
		return
	}
	if reference := "See " + told[text] + "."; told[text] != "" && len(reference) < len(text) {
		t.wrapped(mark, reference)
		return
	}
	told[text] = here
	t.wrapped(mark, text)
}

// said are the messages that precede the steps: those of the reasons, in the words for each extension, and those about the
// cluster.
func (t *text) said() map[string]bool {
	said := map[string]bool{}
	for _, e := range t.plan.Extensions {
		for _, c := range e.Cells {
			said[c.Reason] = true
		}
	}
	for _, r := range t.plan.Cluster {
		said[r.place()] = true
	}
	return said
}

// unchangedSentence states that nothing changes between releases, and which release is the next one that changes something.
func (p *Plan) unchangedSentence(names []string) string {
	last := names[len(names)-1]
	next, ok := olm.Target{}, false
	if target, err := olm.ParseTarget(last); err == nil {
		next, ok = target.NextChange()
	}
	if len(names) == 1 {
		return "On " + safetext.Text(last) + " nothing is to be done for spec.serviceAccount; no later release is known. " +
			"Accounts that it has left without use are findings of `salint lint`."
	}
	sentence := "From " + names[0] + " to " + last + ", nothing changes for spec.serviceAccount."
	if !ok || !p.perExtension {
		return sentence
	}
	return sentence + " The next release that changes something is " + next.Name + ": see `salint plan --to " + next.Name + "`."
}
