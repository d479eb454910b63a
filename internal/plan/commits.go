package plan

import (
	"slices"

	"github.com/salint/salint/internal/olm"
)

// maxLive is how many live extensions a step has commands for; the first command lists all of them.
const maxLive = 10

// clear takes the field out of all manifests that set it, and sees to it that it is gone from the live objects. There is the
// target under which that is done, to the one that the way leads to.
func (w *way) clear(there, to olm.Target) {
	if len(w.set) == 0 {
		return
	}
	s := Step{
		Do: "field", Commit: true, Extensions: labels(w.set), Title: "Remove spec.serviceAccount from " + listed(labels(w.set)),
		Why:      "It is optional " + on(there) + ", and has no effect.",
		Commands: []string{lintOf(there.Name, []string{"--fix"}, w.filesOf(w.set))},
		Notes:    append(w.refusals(w.set, there, ruleDeprecated, rulePlaceholder, ruleEmpty), w.stayBehind(w.set, there)...),
	}
	if there.Model == olm.Synthetic {
		s.Do = "grant"
		s.Title = "Grant the synthetic identities what the accounts hold, then remove spec.serviceAccount from " + listed(labels(w.set))
		s.Why = "The fix writes the bindings and removes the field; the bindings have to be applied first. They are in the same sync wave and hook " +
			"as their extension or an earlier one; where nothing orders the two, commit the new *-synthetic-rbac.yaml files and the kustomizations " +
			"that list them first. Until then the field may stay: it is still honoured."
	}
	if there.Model == olm.Removed {
		s.Why = "There is no such field " + on(there) + "."
	}
	w.add(s)
	if there.Model != olm.Removed {
		w.checkGone(to)
	}
	w.unset = append(w.unset, w.set...)
	w.set = nil
}

// checkGone asks the cluster whether the field is gone, and removes it where it is not.
func (w *way) checkGone(to olm.Target) {
	s := Step{
		Do: "check", Extensions: labels(w.set), Title: "See that the field is gone from the cluster",
		Why: "The first command lists the live extensions that still have it. A field that is gone from Git stays on the live object where another manager owns it, " +
			"or where the object has no last-applied annotation; --show-managed-fields tells which. The patch takes it away; whoever else sets it has to stop first.",
		Commands: []string{getSet()},
	}
	if to.Model == olm.Removed {
		s.Why += " Do this before the upgrade: afterwards the API no longer shows the field, and what is stored of it comes back with an older release."
	}
	named := w.nameable(w.set)
	for _, e := range named[:min(len(named), maxLive)] {
		s.Commands = append(s.Commands, getField(e.Name))
	}
	for _, e := range named[:min(len(named), maxLive)] {
		s.Commands = append(s.Commands, getManagers(e.Name), removeField(e.Name))
	}
	if len(named) > maxLive {
		s.Notes = append(s.Notes, "the commands are those for the first of them; for the others they are the same with another name")
	}
	w.add(s)
}

// nameable are the extensions, once each, whose names can stand in a command: others are filled in later, or are none.
func (w *way) nameable(extensions []*Extension) []*Extension {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(extensions), func(e *Extension) bool {
		skip := e.Name == "" || e.Name[0] == '-' || e.NameTemplated || seen[e.Name]
		seen[e.Name] = true
		return skip
	})
}

// prune removes what only the field kept alive.
func (w *way) prune() {
	w.add(Step{
		Do: "prune", Commit: true, Extensions: labels(w.extensions), Title: "Remove the accounts, bindings and roles that only the field kept alive",
		Why: "OLM never deletes them. An installer's account that is still bound to cluster-admin is for whoever may create pods in its namespace. " +
			"Anything that is mentioned elsewhere is kept. Do this when there is no way back any more: without the accounts a downgrade begins with new ones.",
		Commands: []string{lintOf(w.To.Name, []string{"--fix", "--prune"}, w.scopeOf(w.extensions))},
		Notes:    w.stayBehind(w.extensions, w.To),
	})
}

// account names an account in every extension that has none.
func (w *way) account(to olm.Target) {
	without := slices.Clone(w.unset)
	for _, e := range w.set {
		if e.Account.State != olm.Named && e.Account.State != olm.Templated {
			without = append(without, e)
		}
	}
	if len(without) == 0 {
		return
	}
	w.add(Step{
		Do: "account", Commit: true, Extensions: labels(without),
		Title: "Give " + listed(labels(without)) + " an account, with its bindings, and name it in spec.serviceAccount",
		Why: "First the account and its bindings, then the field, and only then the cluster. What the account must be allowed to do is what the synthetic identity held; " +
			"where nothing is bound to one, say it by --grant role=NAME, or by --grant least-privilege with --bundle EXTENSION=DIR.",
		Commands: []string{lintOf(to.Name, []string{"--fix"}, w.filesOf(without))},
		Notes:    append(w.refusals(without, to, ruleMissing, ruleEmpty), w.stayBehind(without, to)...),
	})
	w.set, w.unset = w.extensions, nil
}

// checkAccounts asks the cluster whether every extension has its account.
func (w *way) checkAccounts(to olm.Target) {
	w.add(Step{
		Do: "check", Extensions: labels(w.extensions), Title: "See that every extension names an account that exists",
		Why:      "No live extension may show <none> as its account, and lint may find no error for " + to.Name + ". Accounts that were removed meanwhile, or have lost their bindings, are errors there.",
		Commands: []string{getAccounts(), lintOf(to.Name, []string{"--fail-on", "error"}, w.scopeOf(w.extensions))},
	})
}

// grant binds the synthetic identities of extensions without an account.
func (w *way) grant(to olm.Target) {
	if len(w.unset) == 0 {
		return
	}
	w.add(Step{
		Do: "grant", Commit: true, Extensions: labels(w.unset), Title: "Bind roles to the synthetic identities of " + listed(labels(w.unset)),
		Why: "They have no permissions of their own. Until something is bound to them, OLM is refused whatever it does for these extensions. " +
			"Where nothing tells what to grant, say it by --grant role=NAME, or by --grant least-privilege with --bundle EXTENSION=DIR.",
		Commands: []string{lintOf(to.Name, []string{"--fix"}, w.filesOf(w.unset))},
		Notes:    append(w.refusals(w.unset, to, ruleUnbound), w.stayBehind(w.unset, to)...),
	})
}

// refusals say of which extensions a step cannot be done by the fix, and why.
func (w *way) refusals(extensions []*Extension, there olm.Target, rules ...string) []string {
	var notes []string
	for _, e := range extensions {
		if c := w.cell(e, there); c.Refused != "" && slices.Contains(rules, c.Rule) {
			notes = append(notes, e.Label+" is not fixed: "+c.Refused)
		}
	}
	return few(notes)
}
