package plan

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
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
		Commands: w.lints(there, []string{"--fix"}, w.set),
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
			"or where the object has no last-applied annotation; --show-managed-fields tells which. A patch takes it away, and fails where there is nothing to be taken, " +
			"or another account than the manifest named; whoever else sets it has to stop first.",
		Commands: []string{getSet()},
	}
	if to.Model == olm.Removed {
		s.Why += " Do this before the upgrade: afterwards the API no longer shows the field, and what is stored of it comes back with an older release."
	}
	named := w.nameable(w.set)
	if first := named[:min(len(named), maxLive)]; len(first) > 0 {
		s.Commands = append(s.Commands, getManagers(mapped(first, func(e *Extension) string { return e.Name })))
		for _, e := range first {
			s.Commands = append(s.Commands, removeField(e.Name, w.accountOf(e.Name)))
		}
	}
	if len(named) > maxLive {
		s.Notes = append(s.Notes, "the commands are those for the first of them; for the others they are the same with another name")
	}
	w.add(s)
}

// accountOf is the account that all manifests of an extension name, "" where they name several, or one that is filled in later.
func (w *way) accountOf(name string) string {
	account := ""
	for _, e := range w.set {
		if e.Name != name {
			continue
		}
		if e.Account.State != olm.Named || account != "" && account != e.Account.Name {
			return ""
		}
		account = e.Account.Name
	}
	return account
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
			"Anything that is mentioned elsewhere is kept, and the flags keep other fixes out of the commit. Do this when there is no way back any more: without the accounts a downgrade begins with new ones. " +
			"Once the field is gone, only cluster-admins and roles of installers can be told from other accounts: what else the run that removed the field named as left behind, and what a chart or a renaming overlay makes, is removed by hand.",
		Commands: []string{w.lintOf(w.naming(w.To, w.extensions...), pruneFlags, w.scopeOf(w.extensions))},
		Notes:    w.stayBehind(w.extensions, w.To),
	})
}

// pruneFlags remove what is left over, and leave alone what other fixes would change in the same files: that is no part of the step.
var pruneFlags = []string{
	"--fix", "--prune", "--disable", "olm/apply-order", "--disable", "grafana/*", "--disable", "pod/*", "--disable", "rbac/*", "--disable", "token/*",
}

// account names an account in every extension that has none.
func (w *way) account(from, to olm.Target) {
	without := slices.Clone(w.unset)
	for _, e := range w.set {
		if e.Account.State != olm.Named && e.Account.State != olm.Templated {
			without = append(without, e)
		}
	}
	if len(without) == 0 {
		return
	}
	s := Step{
		Do: "account", Commit: true, Extensions: labels(without),
		Title: "Give " + listed(labels(without)) + " an account, with its bindings, and name it in spec.serviceAccount",
		Why: "If the commits that removed the field, and then the accounts, are still there, revert them instead (git revert, the latest first): that brings back what was there, name for name. " +
			"Otherwise the account <extension>-installer is named again where it was not pruned and is still bound, and the extension may do what that may; " +
			"else one is made, which may do what the synthetic identity held. Apply it and its bindings before the field, and all of it before the cluster changes. " +
			"Look at the live extensions first: one that still names an account refuses another name until the field is cleared there.",
		Commands: []string{getAccounts()},
	}
	w.give(&s, without, from, to, ruleMissing, ruleEmpty)
	w.add(s)
	w.set, w.unset = w.extensions, nil
}

// checkAccounts asks the cluster whether every extension has its account.
func (w *way) checkAccounts(to olm.Target) {
	w.add(Step{
		Do: "check", Extensions: labels(w.extensions), Title: "See that every extension names an account that exists",
		Why:      "No live extension may show <none> as its account, and lint may find no error for " + to.Name + ". Accounts that were removed meanwhile, or have lost their bindings, are errors there.",
		Commands: []string{getAccounts(), w.lintOf(to.Name, []string{"--fail-on", "error"}, w.scopeOf(w.extensions))},
	})
}

// grant binds the synthetic identities of extensions without an account to which nothing is bound. Of one whose name is filled in
// later that is not known.
func (w *way) grant(from, to olm.Target) {
	unbound := slices.DeleteFunc(slices.Clone(w.unset), func(e *Extension) bool {
		return !e.NameTemplated && !w.cell(e, to).finds(ruleUnbound)
	})
	if len(unbound) == 0 {
		return
	}
	s := Step{
		Do: "grant", Commit: true, Extensions: labels(unbound), Title: "Bind roles to the synthetic identities of " + listed(labels(unbound)),
		Why: "They have no permissions of their own. Until something is bound to them, OLM is refused whatever it does for these extensions.",
	}
	w.give(&s, unbound, from, to, ruleUnbound)
	w.add(s)
}

// give has the fixes of some rules grant to identities what they need. Those are asked first that know what that is; the others by
// the bundles of the extensions; and the rest are told what OLM holds today, where that is known.
func (w *way) give(s *Step, extensions []*Extension, from, to olm.Target, rules ...string) {
	var known, open []*Extension
	var flags []string // without a fix the command shows what is to be done
	for _, e := range extensions {
		if refused := w.cell(e, to).refusedFor(rules); !strings.Contains(refused, "--grant role=") { // refused for want of that flag
			known = append(known, e)
			if refused == "" {
				flags = fixFlags[finding.Safe]
			}
		} else if _, ok := w.Bundles[e.Name]; ok && !e.NameTemplated {
			granting := append([]string{"--fix", "--grant", "least-privilege"}, w.bundleFlags(e.Name)...)
			s.Commands = append(s.Commands, w.lints(to, granting, []*Extension{e})...)
		} else {
			open = append(open, e)
		}
	}
	if len(known) > 0 {
		s.Commands = append(s.Commands, w.lints(to, flags, known)...)
	}
	s.Notes = append(w.refusals(known, to, rules...), w.stayBehind(extensions, to)...)
	w.giveOpenly(s, open, from, to)
}

// giveOpenly is for extensions of which nothing tells what they need.
func (w *way) giveOpenly(s *Step, open []*Extension, from, to olm.Target) {
	if len(open) == 0 {
		return
	}
	note := "nothing tells what " + listed(labels(open)) + " must be allowed to do: say it by --grant role=NAME, or by --grant least-privilege with --bundle EXTENSION=DIR"
	if from.Model == olm.Ignored || from.Model == olm.Removed {
		s.Commands = append(s.Commands, w.lints(to, []string{"--fix", "--grant", "role=cluster-admin"}, open)...)
		note += ". Today OLM acts for them as a cluster-admin; the last command goes on with that, and is the least narrow way"
	}
	s.Notes = append(s.Notes, note)
}

// refusals say of which extensions a step cannot be done by the fix, and why.
func (w *way) refusals(extensions []*Extension, there olm.Target, rules ...string) []string {
	var notes []string
	for _, e := range extensions {
		if refused := w.cell(e, there).refusedFor(rules); refused != "" {
			notes = append(notes, e.Label+" is not fixed: "+refused)
		}
	}
	return few(notes)
}
