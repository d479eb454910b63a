package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// maxLive is the maximum number of live extensions for which a step has commands; the first command lists all of them.
const maxLive = 10

// clear removes the field from all manifests that set it, and checks that it is gone from the live objects. The parameter
// there is the target for which the field is removed; to is the end of the transition.
func (p *planner) clear(there, to olm.Target) {
	if len(p.set) == 0 {
		return
	}
	rules := []string{ruleDeprecated, rulePlaceholder, ruleEmpty}
	s := Step{
		Do: "field", Commit: true, Extensions: labels(p.set), Title: p.inTitle(there, "remove spec.serviceAccount from "+p.plan.namesOf(p.set)),
		Why:      "It is optional " + on(there) + ", and has no effect.",
		Commands: p.fixes(there, p.set, rules),
		Notes:    slices.Concat(p.dangers(p.set, there, rules), p.refusals(p.set, there, rules...), p.otherUnits(p.set, there)),
	}
	if there.Model == olm.Synthetic {
		s.Do = "grant"
		s.Title = "Grant the synthetic identities the permissions of the accounts, then remove spec.serviceAccount from " + p.plan.namesOf(p.set)
		s.Why = "The fix writes the bindings and removes the field. Apply the bindings first: they are in the same sync wave and hook " +
			"as their extension, or an earlier one. If nothing orders the two, first commit the new *-synthetic-rbac.yaml files and the kustomizations " +
			"that list them. Until then the field can stay, because it is still honored."
		s.Brief = s.Why
	}
	if there.Model == olm.Removed {
		s.Why = "The field does not exist " + on(there) + "."
	}
	if slices.ContainsFunc(p.set, p.isGuess) {
		s.Notes = append(s.Notes, "set the release of these clusters in .salint.yaml first: as long as it is unknown, salint removes no field")
	}
	p.add(s)
	if there.Model != olm.Removed {
		p.checkGone(to)
	}
	p.unset = append(p.unset, p.set...)
	p.set = nil
}

// fixes returns the commands that fix extensions: one for the safe fixes, and one for those that change what something else depends on.
func (p *planner) fixes(there olm.Target, extensions []*Extension, rules []string) (commands []string) {
	isUnsafe := func(e *Extension) bool { return p.cell(e, there).unsafeFor(rules) != "" }
	safe := slices.DeleteFunc(slices.Clone(extensions), isUnsafe)
	if len(safe) > 0 {
		commands = p.lints(there, fixFlags[finding.Safe], safe)
	}
	if unsafe := slices.DeleteFunc(slices.Clone(extensions), func(e *Extension) bool { return !isUnsafe(e) }); len(unsafe) > 0 {
		commands = append(commands, p.lints(there, fixFlags[finding.Unsafe], unsafe)...)
	}
	return commands
}

// dangers returns notes about the extensions whose fix is not safe. Each reason is given once.
func (p *planner) dangers(extensions []*Extension, there olm.Target, rules []string) (notes []string) {
	byReason := map[string][]*Extension{}
	var reasons []string
	for _, e := range extensions {
		if reason := p.cell(e, there).unsafeFor(rules); reason != "" {
			reasons = words.AddOnce(reasons, reason)
			byReason[reason] = append(byReason[reason], e)
		}
	}
	for _, reason := range reasons {
		notes = append(notes, fmt.Sprintf("the fix of %s is %s: change that before, or check that it does not matter", p.plan.namesOf(byReason[reason]), reason))
	}
	return few(notes)
}

// inTitle begins the title of a step that changes manifests before the upgrade to another target with the target of today.
func (p *planner) inTitle(there olm.Target, title string) string {
	if clearsBefore(p.From, p.To) && there.Name == p.From.Name {
		return "On " + there.Name + ", " + title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// checkGone checks on the cluster that the field is gone, and removes it otherwise.
func (p *planner) checkGone(to olm.Target) {
	s := Step{
		Do: "check", Extensions: labels(p.set), Title: "Check that the field is gone from the cluster",
		Why: "The first command lists the live extensions that still have the field. A field that was removed in Git stays on the live object if another manager owns it, " +
			"or if the object has no last-applied annotation; --show-managed-fields shows the manager. The patch removes the field. It fails if the field is not set, " +
			"or names a different account than the manifest. First stop any other manager that sets it.",
		Brief:    "It prints the extensions that still have the field, which another manager can own. With --all-targets, the plan has the patch that removes it.",
		Commands: []string{commandline.GetSet()},
	}
	if to.Model == olm.Removed {
		s.Brief = "Do this before the upgrade. " + s.Brief
		s.Why += " Do this before the upgrade: afterwards the API no longer shows the field, and its stored value reappears with an older release."
	}
	named := p.nameable(p.set)
	if first := named[:min(len(named), maxLive)]; len(first) > 0 {
		var names []string
		for _, e := range first {
			names = append(names, e.Name)
		}
		s.Commands = append(s.Commands, commandline.GetManagers(names))
		for _, e := range first {
			s.Commands = append(s.Commands, commandline.RemoveField(e.Name, p.accountOf(e.Name)))
		}
		s.Details = len(s.Commands) - 1
	}
	if len(named) > maxLive {
		s.Notes = append(s.Notes, "the commands cover the first extensions; repeat them with the names of the others")
	}
	p.add(s)
}

// accountOf returns the account that all manifests of an extension name, or "" if they name several or one is substituted
// later.
func (p *planner) accountOf(name string) string {
	account := ""
	for _, e := range p.set {
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

// nameable returns the extensions, once each, whose names can be used in a command: the names of others are substituted
// later or missing.
func (p *planner) nameable(extensions []*Extension) []*Extension {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(extensions), func(e *Extension) bool {
		skip := e.Name == "" || e.Name[0] == '-' || e.NameTemplated || seen[e.Name]
		seen[e.Name] = true
		return skip
	})
}

// account sets an account in every extension that has none.
func (p *planner) account(from, to olm.Target) {
	without := slices.Clone(p.unset)
	for _, e := range p.set {
		if e.Account.State != olm.Named && e.Account.State != olm.Templated {
			without = append(without, e)
		}
	}
	if len(without) == 0 {
		return
	}
	s := Step{
		Do: "account", Commit: true, Extensions: labels(without),
		Title: "Give " + p.plan.namesOf(without) + " an account with bindings, and set it in spec.serviceAccount",
		Why: "If the commits that removed the field and then the accounts still exist, revert them instead (git revert, the latest first): this restores everything with the same names. " +
			"Otherwise the fix sets the account <extension>-installer again if it was not pruned and is still bound, and the extension has the permissions of that account. " +
			"If not, the fix creates an account with the permissions of the synthetic identity. Apply the account and its bindings before the field, and all of it before the cluster changes. " +
			"Check the live extensions first: one that still names an account rejects another name until the field is cleared there.",
		Brief: "If the commits that removed the field and the accounts exist, revert them instead. Otherwise apply the accounts and their bindings before the field, and all of it before the cluster changes. " +
			"A live extension that still names an account rejects another name.",
		Commands: []string{commandline.GetAccounts()},
	}
	p.give(&s, without, from, to, ruleMissing, ruleEmpty)
	if !slices.ContainsFunc(s.Commands, func(command string) bool { return strings.Contains(command, setTargetFlag) }) {
		s.Notes = append(s.Notes, p.configuredTarget(without, to)...)
	}
	p.add(s)
	p.set, p.unset = p.extensions, nil
}

// configuredTarget returns a note that the configuration must set the new target too: by the one of today, lint removes the field
// again.
func (p *planner) configuredTarget(extensions []*Extension, to olm.Target) []string {
	affected := slices.DeleteFunc(slices.Clone(extensions), func(e *Extension) bool {
		return !e.asked || e.Today.Model == olm.Required || e.Today.Name == to.Name
	})
	if len(affected) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("in the same commit, set the target of %s to %s in .salint.yaml, which sets %s: until then, "+
		"`salint lint --fix` without --target removes the field again", p.plan.namesOf(affected), to.Name, affected[0].Today.Name)}
}

// checkAccounts checks on the cluster that every extension has its account.
func (p *planner) checkAccounts(to olm.Target) {
	p.add(Step{
		Do: "check", Extensions: labels(p.extensions), Title: "Check that every extension names an account that exists",
		Why:      "Every live extension must show an account, not <none>, and lint must report no error for " + to.Name + ". It reports accounts that were removed in the meantime or have lost their bindings.",
		Brief:    "No extension may show <none>, and lint must report no error.",
		Commands: []string{commandline.GetAccounts(), p.lintOf(to.Name, []string{"--fail-on", "error"}, p.scopeOf(p.extensions, to))},
	})
}

// grant binds the synthetic identities of extensions that have neither an account nor a binding. It includes extensions
// whose names are substituted later, for which that is unknown.
func (p *planner) grant(from, to olm.Target) {
	unbound := slices.DeleteFunc(slices.Clone(p.unset), func(e *Extension) bool {
		return !e.NameTemplated && !p.cell(e, to).finds(ruleUnbound)
	})
	if len(unbound) == 0 {
		return
	}
	s := Step{
		Do: "grant", Commit: true, Extensions: labels(unbound), Title: "Bind roles to the synthetic identities of " + p.plan.namesOf(unbound),
		Why:   "They have no permissions by default. Until a role is bound to them, every request of OLM for these extensions is rejected.",
		Brief: "Until a role is bound to them, every request of OLM for these extensions is rejected.",
	}
	p.give(&s, unbound, from, to, ruleUnbound)
	p.add(s)
}

// give adds commands whose fixes grant identities what they need. Extensions for which that is known come first, then those
// with a bundle; for the rest, the command grants what OLM has today, if that is known.
func (p *planner) give(s *Step, extensions []*Extension, from, to olm.Target, rules ...string) {
	var known, unknown []*Extension
	var flags []string // without a fix the command shows what to do
	for _, e := range extensions {
		if refused := p.cell(e, to).refusedFor(rules); !strings.Contains(refused, "--grant role=") { // refused because that flag is missing
			known = append(known, e)
			if refused == "" {
				flags = fixFlags[finding.Safe]
			}
		} else if _, ok := p.Bundles[e.Name]; ok && !e.NameTemplated {
			granting := append([]string{"--fix", "--grant", "least-privilege"}, p.bundleFlags(e.Name)...)
			s.Commands = append(s.Commands, p.lints(to, granting, []*Extension{e})...)
		} else {
			unknown = append(unknown, e)
		}
	}
	if len(known) > 0 {
		s.Commands = append(s.Commands, p.lints(to, flags, known)...)
	}
	s.Notes = append(p.refusals(known, to, rules...), p.otherUnits(extensions, to)...)
	p.giveUnknown(s, unknown, from, to)
}

// giveUnknown adds the command for extensions whose needs are unknown.
func (p *planner) giveUnknown(s *Step, extensions []*Extension, from, to olm.Target) {
	if len(extensions) == 0 {
		return
	}
	note := "the required permissions of " + p.plan.namesOf(extensions) + " are unknown: set --grant role=NAME, or --grant least-privilege with --bundle EXTENSION=DIR"
	if from.Model == olm.Ignored || from.Model == olm.Removed {
		s.Commands = append(s.Commands, p.lints(to, []string{"--fix", "--grant", "role=cluster-admin"}, extensions)...)
		note += ". Today OLM acts for them as a cluster-admin; the last command keeps that, and is the broadest grant"
	}
	s.Notes = append(s.Notes, note)
}

// refusals returns notes about the extensions that the fix of a step cannot change. Each reason is given once.
func (p *planner) refusals(extensions []*Extension, there olm.Target, rules ...string) []string {
	var reasons []string
	first, more := map[string]string{}, map[string][]*Extension{}
	for _, e := range extensions {
		refused := p.cell(e, there).refusedFor(rules)
		if refused == "" {
			continue
		}
		reason := e.unnamed(refused)
		if _, known := first[reason]; known {
			more[reason] = append(more[reason], e)
			continue
		}
		reasons = append(reasons, reason)
		first[reason] = e.Label + " is not fixed: " + refused
	}
	var notes []string
	for _, reason := range reasons {
		note := first[reason]
		if alike := more[reason]; len(alike) > 0 {
			note += " (the same applies to " + p.plan.namesOf(alike) + ")"
		}
		notes = append(notes, note)
	}
	return few(notes)
}
