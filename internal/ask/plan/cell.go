package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/lint/session"
)

// The rules that the plan treats separately, because the transitions have their own steps for the field.
const (
	ruleDeprecated  = "olm/service-account-deprecated"
	rulePlaceholder = "olm/synthetic-placeholder"
	ruleMissing     = "olm/service-account-missing"
	ruleEmpty       = "olm/service-account-empty"
	ruleUnbound     = "olm/synthetic-identity-unbound"
	ruleLayout      = "olm/layout-outdated"
	ruleNoBinding   = "olm/installer-unbound"
	ruleNoAccount   = "olm/service-account-not-found"
	ruleGateOff     = "olm/synthetic-gate-off"
	ruleController  = "olm/controller-permissions"
	ruleRefused     = "olm/bundle-refused"
	ruleConflict    = "olm/target-conflict"
)

// cellOf summarizes the findings about an extension on a target. None is installed if operator-controller does not start.
func (b *builder) cellOf(e *Extension, target olm.Target, found []session.Judgment) Cell {
	c := b.cellOfFindings(e, target, found)
	if faults := olm.StartFaults(target, e.signals); len(faults) > 0 && c.Status != Breaks {
		c.Status, c.Reason, c.Rule = Breaks, faults[0], ruleConflict
	}
	return c
}

// cellOfFindings summarizes the findings about an extension on a target.
func (b *builder) cellOfFindings(e *Extension, target olm.Target, found []session.Judgment) Cell {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(x, y session.Judgment) int {
		return cmp.Or(rank(statusOf(y, target))-rank(statusOf(x, target)), -cmp.Compare(x.Severity, y.Severity),
			cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Message, y.Message))
	})
	c := Cell{Target: target, Status: Works, judgements: found}
	for _, f := range found {
		c.Findings = append(c.Findings, b.relative(f.Finding))
		c.Refused = cmp.Or(c.Refused, f.Refused)
	}
	if len(found) > 0 {
		c.Status = statusOf(found[0], target)
	}
	if c.failed = e.failed; c.failed && c.Status == Works {
		c.Status, c.Reason = Warns, "a rule failed on the extension, so its findings are unknown (see what was not checked)"
		return c
	}
	if c.Status == Works && e.Account.State == olm.Hidden {
		c.Status, c.Reason = Warns, "a template hides whether spec.serviceAccount is set (see what was not checked)"
		return c
	}
	if c.Status == Works && target.Model == olm.Required && !hasAccount(e) {
		c.Status = Warns
		c.Reason = finding.Known(false).Assure("the release requires spec.serviceAccount, which is not set") + " (see what was not checked)"
		return c
	}
	if c.Status == Works && e.differs != "" {
		c.Status, c.Reason = Warns, "nothing is wrong with what could be read, but the cluster can have another form of the extension: "+e.differs
		return c
	}
	if binding, is := rbac.OnlyReplaceable(e.unit, identityOn(e, target)); c.Status == Works && is {
		c.Status = Warns
		at := binding.Object.Position(nil)
		c.Reason = fmt.Sprintf("%s %s (%s:%d) is bound to the identity, but it exists more than once: what is applied last replaces the other",
			binding.Object.Kind, binding.Object.Name, b.Rel(at.File), at.Line)
		return c
	}
	if c.Status == Works {
		c.Reason = works(e, target, b.ownAccount(e, target))
		return c
	}
	first := found[0]
	c.Rule, c.Reason = first.Rule, first.Message
	if first.Rule == ruleRefused && first.Severity == finding.Warning && !installsOtherwise(first) {
		c.Reason = "breaks unless the gate is on: " + c.Reason
	}
	c.When, c.Shared = b.when(e, first.Rule, target), b.elsewhere(e, target)
	name := target.Name
	if c.Shared != "" {
		name = ""
	}
	flags, files := b.fixing(e.Name, target, found)
	if e.isFixedByFolder(target) && slices.Contains(flags, "--fix") {
		files = []string{e.root}
	}
	c.prepare, c.Command = commandline.Parts{Target: name, Flags: flags, Files: files}, b.lintOf(name, flags, files)
	return c
}

// installsOtherwise reports whether a bundle is installed, but not as its extension requests.
// Only the message of the rule says it.
func installsOtherwise(f session.Judgment) bool {
	return !strings.Contains(f.Message, " does not install ")
}

// statusOf returns the status that follows from a single finding. An outdated layout is only a warning of lint, because it
// could be meant for a cluster that lint does not know; a named release cannot apply it. A gate that is off is only a
// warning, because the cluster can differ from its manifest, but with it the extension is not installed; neither is one whose bundle needs
// a gate that is off. An installer that may
// not exist, or whose bindings are unknown, is only a note of lint, but the plan does not call that working. Neither is a
// placeholder if the gate is unknown, because the gate is off by default, nor an account of OLM of which it is unknown whether it has enough.
func statusOf(f session.Judgment, t olm.Target) Status {
	switch {
	case f.Severity == finding.Error, f.Rule == ruleLayout && t.Release(), f.Rule == ruleGateOff, f.Rule == ruleRefused && !installsOtherwise(f):
		return Breaks
	case f.Severity == finding.Warning, f.Rule == ruleNoBinding, f.Rule == ruleNoAccount, f.Rule == rulePlaceholder, f.Rule == ruleController:
		return Warns
	}
	return Works
}

// breaking returns the findings that break the extension on the target, except those of some rules.
func (c Cell) breaking(except []string) []session.Judgment {
	return slices.DeleteFunc(slices.Clone(c.judgements), func(f session.Judgment) bool {
		return statusOf(f, c.Target) != Breaks || slices.Contains(except, f.Rule)
	})
}

// finds returns whether a rule reports something.
func (c Cell) finds(rule string) bool {
	return slices.ContainsFunc(c.judgements, func(f session.Judgment) bool { return f.Rule == rule })
}

// refusedFor returns why the findings of some rules cannot be fixed, or "" if they can be or there are none.
func (c Cell) refusedFor(rules []string) string {
	for _, f := range c.judgements {
		if f.Refused != "" && slices.Contains(rules, f.Rule) {
			return f.Refused
		}
	}
	return ""
}

// unsafeFor returns why the fix of a finding of some rules is not safe, or "" if it is safe or there is none.
func (c Cell) unsafeFor(rules []string) string {
	for _, f := range c.judgements {
		if f.Fix == nil || f.Fix.Kind != finding.Unsafe || !slices.Contains(rules, f.Rule) {
			continue
		}
		if _, reason, is := strings.Cut(f.Fix.Description, "; not safe"); is {
			return "not safe" + reason
		}
		return "not safe: " + f.Fix.Description
	}
	return ""
}

// relative converts the files of a finding to paths from the working directory.
func (b *builder) relative(f finding.Finding) finding.Finding {
	f.File = b.Rel(f.File)
	f.Related = slices.Clone(f.Related)
	for i := range f.Related {
		f.Related[i].File = b.Rel(f.Related[i].File)
	}
	return f
}

// limitsOLM returns whether the repository installs OLM, of any distribution, with an account that is not known to be a cluster-admin.
func (b *builder) limitsOLM(e *Extension) bool {
	return rbac.FindOwnAccount(b.units, e.unit, rbac.ControllerAccounts(olm.UnknownTarget())).Restricted()
}

// clusterAdminAccount names OLM's own account as OLM ships it.
const clusterAdminAccount = "its own account, a cluster-admin"

// ownAccount names OLM's own account, with what is known of its permissions.
func (b *builder) ownAccount(e *Extension, target olm.Target) string {
	if rbac.FindOwnAccount(b.units, e.unit, rbac.ControllerAccounts(target)).Restricted() {
		return "its own account"
	}
	return clusterAdminAccount
}

// works returns why an extension without findings works; own names OLM's own account.
func works(e *Extension, target olm.Target, own string) string {
	account := e.Account.Name
	switch target.Model {
	case olm.Required:
		if account == olm.Placeholder {
			return "OLM acts as the synthetic identity " + olm.User(e.Name) + ", if the gate SyntheticPermissions is on"
		}
		return fmt.Sprintf("OLM acts as ServiceAccount %s/%s", e.Namespace, account)
	case olm.Synthetic:
		if hasAccount(e) {
			return fmt.Sprintf("OLM acts as ServiceAccount %s/%s", e.Namespace, account)
		}
		return "OLM impersonates User " + olm.User(e.Name)
	case olm.Ignored:
		if hasAccount(e) {
			return "the field is set without effect: OLM acts as " + own
		}
		return "the field is not set: OLM acts as " + own
	default:
		return "the field does not exist and is not set: OLM acts as " + own
	}
}

// identityOn is the identity as which OLM installs an extension; empty where it acts as its own account.
func identityOn(e *Extension, target olm.Target) rbac.Identity {
	switch {
	case target.Model != olm.Required && target.Model != olm.Synthetic:
		return rbac.Identity{}
	case hasAccount(e) && e.Account.Name != olm.Placeholder:
		return rbac.Account(objects.Account{Namespace: e.Namespace, Name: e.Account.Name}).Identity()
	}
	return rbac.Identity{User: olm.User(e.Name), Groups: []string{olm.Group}}
}

// hasAccount returns whether the manifest shows the field, even with an invalid value.
func hasAccount(e *Extension) bool {
	return e.Account.State != olm.Absent && e.Account.State != olm.Null && e.Account.State != olm.Hidden
}

// when returns whether to fix a finding before or after the change of the cluster. The field is removed once it is
// optional; everything else is fixed before. If the target has no field, it is removed before, on a release where it is
// optional.
func (b *builder) when(e *Extension, rule string, target olm.Target) string {
	optional := target.Model == olm.Ignored || target.Model == olm.Synthetic
	uselessToday := b.From == "" && e.Today != nil && clearsBefore(*e.Today, target)
	if optional && !uselessToday && (rule == ruleDeprecated || rule == rulePlaceholder) {
		return After
	}
	return Before
}

// fixing returns the flags and the files of the command that fixes the most severe findings, or shows them if there is no fix.
func (b *builder) fixing(extension string, target olm.Target, found []session.Judgment) (flags, files []string) {
	kind := finding.FixKind("")
	for _, f := range found {
		status := statusOf(f, target)
		if status == Works {
			continue
		}
		if f.Fix != nil && kind == "" && status == statusOf(found[0], target) {
			kind = f.Fix.Kind
		}
		files = append(files, b.Rel(f.File))
	}
	slices.Sort(files)
	return slices.Concat(fixFlags[kind], b.bundleFlags(extension)), slices.Compact(files)
}

// fixFlags are the flags that apply fixes of a kind. Without a fix, the command shows the findings.
var fixFlags = map[finding.FixKind][]string{
	finding.Safe: {"--fix"}, finding.Unsafe: {"--fix", "--unsafe-fixes"}, finding.Prune: {"--fix", "--prune"},
}
