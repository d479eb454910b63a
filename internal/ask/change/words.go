package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// The texts of this file are not escaped.

// maxNames limits the names in a sentence.
const maxNames = 3

// some joins names, and counts those beyond the limit.
func some(names []string) string {
	if len(names) > maxNames {
		return words.First(maxNames, names)
	}
	return words.And(names)
}

// subjects returns the names of the holders, each once.
func (c Change) subjects() []string {
	return eachOnce(c.Holders, func(h Holder) string { return access.SubjectName(h.Subject) })
}

// eachOnce returns a text of each element, in their order, without repetitions.
func eachOnce[E any](list []E, text func(E) string) []string {
	var texts []string
	known := map[string]bool{}
	for _, e := range list {
		if t := text(e); !known[t] {
			known[t] = true
			texts = append(texts, t)
		}
	}
	return texts
}

// where returns the scope in which the holders have the permissions.
func (c Change) where() string {
	scopes := eachOnce(c.Holders, func(h Holder) string { return h.Scope })
	switch {
	case slices.Equal(scopes, []string{""}):
		return "in the whole cluster"
	case slices.Contains(scopes, ""):
		return fmt.Sprintf("in the whole cluster or in %s", words.Count(len(scopes)-1, "namespace"))
	case slices.Equal(scopes, []string{rbac.UnknownNamespace}):
		return "in an unknown namespace"
	case len(scopes) == 1:
		return "in namespace " + scopes[0]
	}
	return fmt.Sprintf("in %d namespaces", len(scopes))
}

// Sentence says who gains what, or loses it, without a final dot.
func (c Change) Sentence(gained bool) string {
	names := c.subjects()
	return fmt.Sprintf("%s %s %s %s", some(names), c.verb(gained, len(names)), access.RoleName(c.Role), c.where())
}

// verb says what becomes of some holders.
func (c Change) verb(gained bool, holders int) string {
	more, verb := "more", "gain"
	if !gained {
		more, verb = "less", "lose"
	}
	doubtful := !slices.ContainsFunc(c.Holders, func(h Holder) bool { return h.Doubt == "" })
	switch {
	case c.Widened && doubtful:
		return "can possibly do " + more + " through"
	case c.Widened:
		return "can do " + more + " through"
	case holders == 1:
		verb += "s"
	}
	if doubtful {
		return "possibly " + verb
	}
	return verb
}

// ChainAfter returns the steps that explain one of the Dangers: that holders can become cluster-admin. It returns none for the others.
func (c Change) ChainAfter(danger string) []string {
	if danger != c.becomes {
		return nil
	}
	return c.Chain
}

// Title says who gains what, with the gravest danger.
func (c Change) Title() string {
	title := c.Sentence(true)
	if len(c.Dangers) > 1 && c.becomes != "" && c.becomes == c.Dangers[1] {
		return title + ": " + c.Dangers[0] + "; " + c.becomes
	}
	if len(c.Dangers) > 0 {
		return title + ": " + c.Dangers[0]
	}
	if lines := c.RuleLines(maxNames); len(lines) > 0 {
		return title + ": " + lines[0]
	}
	return title
}

// RuleLines returns the permissions, one line for each set of verbs, with at most some items in each; 0 stands for all.
func (c Change) RuleLines(items int) []string {
	lines := permission.RuleTexts(c.Rules, items)
	for _, role := range c.UnknownRules {
		lines = append(lines, "the permissions of "+access.RoleName(role)+", which are not known")
	}
	return lines
}

// Placed is a text with the position to which it refers.
type Placed struct {
	Text  string
	Place objects.Position
}

// Through lists the bindings of a change with the lines of the subjects, each once, then the role with the lines of its rules, and then what was changed if
// that is none of these.
func (c Change) Through() []Placed {
	var list []Placed
	for _, h := range c.Holders {
		text := h.BindingKind + " " + h.Binding
		if len(c.Holders) > 1 {
			text = access.SubjectName(h.Subject) + ": " + text
		}
		if h.Scope != "" && len(c.Holders) > 1 {
			text += " in namespace " + h.Scope
		}
		if h.Group != "" {
			text += ", to Group " + h.Group
		}
		if h.Doubt != "" {
			text += ", if it applies: " + h.Doubt
		}
		list = append(list, Placed{text, h.Place})
	}
	for i, at := range c.Places {
		text := access.RoleName(c.Role)
		if len(c.Sources) > 0 {
			text = sourcesText(c.Sources, c.Role)
		}
		if i == 0 {
			list = append(list, Placed{text, at})
		}
	}
	if len(c.Since) > 0 {
		list = append(list, Placed{Text: "a change of " + words.First(shownFiles, c.Since)})
	}
	return list
}

// shownFiles limits the changed files that are named.
const shownFiles = 3

// sourcesText says which roles an aggregated role takes its rules from.
func sourcesText(sources []rbac.RoleRef, role rbac.RoleRef) string {
	var names []string
	for _, s := range sources {
		names = append(names, access.RoleName(s))
	}
	return some(names) + ", aggregated to " + access.RoleName(role)
}

// Sentence says what becomes of a policy.
func (p Policy) Sentence() string {
	name := p.Kind + " " + p.Name
	if p.Namespace != "" {
		name = p.Kind + " " + p.Namespace + "/" + p.Name
	}
	switch p.Effect {
	case Removed:
		return name + " is removed"
	case WithoutPolicy:
		return name + " has no effect: its policy is not in the repository"
	case NoLongerDeny:
		return name + " no longer rejects requests"
	case FailsOpen:
		return name + " no longer rejects requests that it cannot evaluate (failurePolicy: Ignore)"
	}
	return name + " is changed, and what it still rejects is not compared"
}

// Sentence says as which identity OLM installs an extension.
func (e Extension) Sentence() string {
	switch {
	case e.rejectedBy != "":
		return fmt.Sprintf("%s: the API server of %s rejects it", e.withoutAccount(), e.rejectedBy)
	case e.To == possiblyOwnAccount:
		was := ""
		if e.From != "" {
			was = ", and no longer as " + e.From
		}
		return fmt.Sprintf("%s: %s and later install its package as %s, a cluster-admin%s; earlier releases reject it", e.withoutAccount(), olm.IgnoredFrom(), ownAccount, was)
	case e.From == "":
		return fmt.Sprintf("ClusterExtension %s is new: OLM installs its package as %s, and what the package contains is not compared", e.Name, e.To)
	}
	sentence := fmt.Sprintf("OLM installs ClusterExtension %s as %s, and no longer as %s", e.Name, e.To, e.From)
	if e.To == ownAccount && e.wasAdmin {
		sentence += ", which was a cluster-admin, too"
	}
	return sentence
}

// withoutAccount begins a sentence about an extension that names no account.
func (e Extension) withoutAccount() string {
	if e.From == "" {
		return fmt.Sprintf("ClusterExtension %s is new, and names no account", e.Name)
	}
	return fmt.Sprintf("ClusterExtension %s names no account", e.Name)
}

// classTitles name the classes of dangers for people.
var classTitles = map[danger.Class]string{
	danger.ClusterAdmin: "cluster-admin", danger.Escalation: "ways to gain more permissions", danger.Secrets: "tokens and Secrets",
	danger.Pods: "pods and exec", danger.Admission: "admission and the API", danger.Extensions: "extensions",
	danger.Other: "other dangers", danger.None: "without a known danger",
}

// Result says why the exit code is what it is.
func (r *Report) Result(failOn finding.Severity) string {
	var s finding.Summary
	s.Count(r.Findings())
	var parts []string
	for _, c := range []struct {
		n   int
		one string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Notes, "note"}} {
		if c.n > 0 {
			parts = append(parts, words.Count(c.n, c.one))
		}
	}
	name := failOn.String()
	if failOn == finding.Off {
		name = "never"
	}
	word := r.coverage().Assure("Passed")
	if r.Fails(failOn) {
		word = "Failed"
	}
	if len(parts) == 0 {
		parts = []string{"nothing to review"}
		if r.leavesOut(OffByDefault, InScripts) {
			parts = []string{"nothing to review in what was compared"}
		}
	}
	classes := ""
	if text := r.Warnings().String(); text != "" {
		classes = "; " + text
	}
	return fmt.Sprintf("%s: %s%s (--fail-on %s)", word, strings.Join(parts, ", "), classes, name)
}

// Fails reports whether something is at least as grave as a severity.
func (r *Report) Fails(failOn finding.Severity) bool {
	return failOn != finding.Off && r.Worst() >= failOn
}

// Compared returns what was compared, if anything was.
func (r *Report) Compared() string {
	if r.CheckedOut {
		return fmt.Sprintf("the uncommitted changes with %s, the commit that is checked out, %s", r.base(), words.Count(r.Units, "deployment unit"))
	}
	return fmt.Sprintf("the working tree with %s, %s", r.base(), words.Count(r.Units, "deployment unit"))
}

// base returns the revision with its commit, or those of a workspace.
func (r *Report) base() string {
	if r.Commits == nil {
		return fmt.Sprintf("%s (%.12s)", r.Revision, r.Commit)
	}
	return fmt.Sprintf("%s in each of %s", cmp.Or(r.Revision, defaultBranch), words.Count(len(r.Commits), "repository"))
}

const defaultBranch = "the default branch"

// UnitsText names the units of a difference; "" for the plain files alone.
func UnitsText(units []string) string {
	if len(units) == 0 || len(units) == 1 && (units[0] == "plain files" || units[0] == ".") {
		return ""
	}
	return " in " + some(units)
}
