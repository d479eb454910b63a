package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/internal/olm"
)

// Rules that say what a target does with the field; steps of their own take care of them.
const (
	ruleDeprecated  = "olm/service-account-deprecated"
	rulePlaceholder = "olm/synthetic-placeholder"
	ruleMissing     = "olm/service-account-missing"
	ruleEmpty       = "olm/service-account-empty"
	ruleUnbound     = "olm/synthetic-identity-unbound"
)

// cellOf sums the findings about an extension on a target up.
func (b *builder) cellOf(e *Extension, target olm.Target, found []lint.Judgement) Cell {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(x, y lint.Judgement) int {
		return cmp.Or(-cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Message, y.Message))
	})
	c := Cell{Target: target, Status: Works}
	for _, f := range found {
		c.Findings = append(c.Findings, b.relative(f.Finding))
		c.Refused = cmp.Or(c.Refused, f.Refused)
	}
	if len(found) == 0 || found[0].Severity < finding.Warning {
		c.Reason = works(e, target)
		return c
	}
	first := found[0]
	c.Status, c.Rule, c.Reason = Warns, first.Rule, first.Message
	if first.Severity == finding.Error {
		c.Status = Breaks
	}
	c.Command, c.When = b.prepare(target, found), when(first.Rule, target.Model)
	c.Shared = b.elsewhere(e, target)
	return c
}

// relative calls the files of a finding as from the working directory.
func (b *builder) relative(f finding.Finding) finding.Finding {
	f.File = b.Rel(f.File)
	f.Related = slices.Clone(f.Related)
	for i := range f.Related {
		f.Related[i].File = b.Rel(f.Related[i].File)
	}
	return f
}

// works says of an extension about which nothing is found why it works.
func works(e *Extension, target olm.Target) string {
	account := e.Account.Name
	switch target.Model {
	case olm.Required:
		if account == olm.Placeholder {
			return "OLM acts as the synthetic identity " + olm.User(e.Name) + ", where the gate SyntheticPermissions is on"
		}
		return fmt.Sprintf("OLM acts as ServiceAccount %s/%s", e.Namespace, account)
	case olm.Synthetic:
		if hasAccount(e) {
			return fmt.Sprintf("OLM acts as ServiceAccount %s/%s", e.Namespace, account)
		}
		return "OLM impersonates User " + olm.User(e.Name)
	case olm.Ignored:
		if hasAccount(e) {
			return "the field is set and has no effect: OLM acts as its own account, a cluster-admin"
		}
		return "the field is not set, and OLM acts as its own account, a cluster-admin"
	default:
		return "the field is not set, as it is gone, and OLM acts as its own account, a cluster-admin"
	}
}

// hasAccount tells whether the manifest sets the field to something.
func hasAccount(e *Extension) bool {
	return e.Account.State != olm.Absent && e.Account.State != olm.Null
}

// when tells on which side of the change of the cluster a finding is mended: the field goes once it is optional, and everything
// else before. Where the field is gone, it goes before, on a release in which it is optional.
func when(rule string, model olm.Model) string {
	optional := model == olm.Ignored || model == olm.Synthetic
	if optional && (rule == ruleDeprecated || rule == rulePlaceholder) {
		return After
	}
	return Before
}

// prepare is the command that mends the worst of the findings that can be mended, or else shows them.
func (b *builder) prepare(target olm.Target, found []lint.Judgement) string {
	kind := finding.FixKind("")
	var files []string
	for _, f := range found {
		if f.Severity < finding.Warning {
			continue
		}
		if f.Fix != nil && kind == "" && f.Severity == found[0].Severity {
			kind = f.Fix.Kind
		}
		files = append(files, b.Rel(f.File))
	}
	slices.Sort(files)
	return lintOf(target.Name, fixFlags[kind], slices.Compact(files))
}

// fixFlags carry out fixes of a kind. Without a fix the findings are shown.
var fixFlags = map[finding.FixKind][]string{
	finding.Safe: {"--fix"}, finding.Unsafe: {"--fix", "--unsafe-fixes"}, finding.Prune: {"--fix", "--prune"},
}
