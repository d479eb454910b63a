package change

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Change is new power that identities have, or power that they lost.
type Change struct {
	Class    danger.Class
	Severity finding.Severity
	// Dangers are the reasons for the class, the gravest first; none for the class None.
	Dangers []string
	// Role is the role by which it is held. Widened is true if the role was granted in the other state, too, with fewer rules.
	Role    rbac.RoleRef
	Widened bool
	// Places are the positions of the rules in the role, or in the Sources; none for a role that is not in the repository.
	Places []objects.Position
	// Sources are the roles of the repository from which an aggregated role takes the rules.
	Sources []rbac.RoleRef
	// Rules are the permissions, compacted. UnknownRules are roles whose rules are unknown, so that they are compared by name.
	Rules        []rbacv1.PolicyRule
	UnknownRules []rbac.RoleRef
	Holders      []Holder
	// Units are the names of the deployment units with the change, sorted.
	Units []string

	// Since are the changed files of these units, such as an overlay, values, or an application, if none of the other places is in a changed file.
	Since []string

	// Chain are the steps by which a holder can become cluster-admin because of the change, the first one first; none if none can.
	Chain []string
	// becomes says that some holders can become cluster-admin; it is among the Dangers.
	becomes string

	gains []*gains.Gain
	rank  int
	rules string // identifies Rules
}

// Holder is a subject of a binding.
type Holder struct {
	Subject rbac.Subject
	// Scope is the namespace in which the role is granted, "" for the whole cluster.
	Scope string
	// BindingKind and Binding name the binding, and Place is the line of the subject in it. A default binding of every cluster has
	// no place.
	BindingKind, Binding string
	Place                objects.Position
	// Group is the group that the binding names, if an object makes the subject a member of it; the place is then the line in the object.
	Group string
	// Doubt is why it is unknown whether the binding applies, "" if it does.
	Doubt string
}

func compareSubjects(a, b rbac.Subject) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// changeKey identifies the gains of a unit that are one change: a widened role is one, and so is a role that is granted to several
// subjects with the same consequences.
type changeKey struct {
	role          rbac.RoleRef
	object        *objects.Object
	widened       bool
	class         danger.Class
	severity      finding.Severity
	rules         string
	contributions string
}

// changesOf groups the gains of a unit.
func changesOf(in *gains.State, found []*gains.Gain, judge func(*gains.Gain) gains.Verdict) []*Change {
	byKey := map[changeKey]*Change{}
	j := gains.NewJudgements(judge)
	var list []*Change
	for _, g := range found {
		v, from := j.Of(g)
		key := changeKey{role: g.Role, object: g.RoleObject, widened: g.Old != nil}
		if g.Old == nil {
			key.class, key.severity, key.rules = v.Class, v.Severity, g.Difference.Key
		}
		for _, s := range from.Sources {
			key.contributions += fmt.Sprint(s.Role)
		}
		c := byKey[key]
		if c == nil {
			c = &Change{
				Class: danger.None, Severity: finding.Note, Role: g.Role, Widened: g.Old != nil, rank: danger.NotDangerous,
			}
			byKey[key] = c
			list = append(list, c)
		}
		c.include(g, v, from)
		c.Units = append(c.Units, in.NamesOf(g)...)
	}
	for _, c := range list {
		slices.Sort(c.Units)
		c.Units = slices.Compact(c.Units)
		c.finish()
	}
	return list
}

// include adds a gain to a change.
func (c *Change) include(g *gains.Gain, v gains.Verdict, from gains.Contribution) {
	if gains.ClassIndex(v.Class) < gains.ClassIndex(c.Class) {
		c.Class = v.Class
	}
	c.Severity = max(c.Severity, v.Severity)
	c.gains = append(c.gains, g)
	for _, d := range v.Dangers {
		c.rank = min(c.rank, d.Rank)
		if !slices.Contains(c.Dangers, d.Text) {
			c.Dangers = append(c.Dangers, d.Text)
		}
	}
	for _, role := range g.Unknown {
		if !slices.Contains(c.UnknownRules, role) {
			c.UnknownRules = append(c.UnknownRules, role)
		}
	}
	for _, s := range from.Sources {
		if !slices.Contains(c.Sources, s.Role) {
			c.Sources = append(c.Sources, s.Role)
		}
		c.addPlaces(s.Object, s.Rules)
	}
	if len(from.Sources) == 0 && g.RoleObject != nil {
		c.addPlaces(g.RoleObject, from.Own)
	}
	c.Holders = append(c.Holders, holderOf(g.Entry))
}

// addPlaces adds the positions of rules in a role.
func (c *Change) addPlaces(role *objects.Object, rules []rbacv1.PolicyRule) {
	written, err := rbac.Rules(role)
	if err != nil {
		return
	}
	for i, rule := range written {
		same := func(r rbacv1.PolicyRule) bool { return policyrules.Same(r, rule) }
		if !slices.ContainsFunc(rules, same) {
			continue
		}
		if at := role.Position(manifest.Path{"rules", strconv.Itoa(i)}); !slices.Contains(c.Places, at) {
			c.Places = append(c.Places, at)
		}
	}
}

func holderOf(e *gains.Entry) Holder {
	h := Holder{Subject: e.Who, Scope: e.Scope, BindingKind: e.Object.Kind, Binding: e.Object.Name}
	switch {
	case e.Member != nil:
		h.Place, h.Group = e.Member.Object.Position(e.Member.Path), e.Member.Object.Name
	case !e.Default:
		h.Place = e.Object.Position(manifest.Path{"subjects", strconv.Itoa(e.SubjectIndex)})
	}
	h.Doubt = e.Doubt()
	return h
}

// finish sets what depends on all gains of a change.
func (c *Change) finish() {
	var rules []rbacv1.PolicyRule
	seen, done := map[string]bool{}, map[*gains.Difference]bool{}
	for _, g := range c.gains {
		if done[g.Difference] {
			continue
		}
		done[g.Difference] = true
		for _, rule := range g.Compact {
			if key := policyrules.Key(rule); !seen[key] {
				seen[key] = true
				rules = append(rules, rule)
			}
		}
	}
	c.Rules = policyrules.Compact(rules)
	c.rules = gains.RulesKey(c.Rules)
	slices.SortFunc(c.Holders, func(a, b Holder) int {
		return cmp.Or(compareSubjects(a.Subject, b.Subject), strings.Compare(a.Scope, b.Scope), strings.Compare(a.Binding, b.Binding))
	})
}

// signature identifies a change that is the same in several units, apart from its places.
func (c *Change) signature() string {
	var b strings.Builder
	fmt.Fprint(&b, c.Class, c.Severity, c.Role, c.Widened, c.Sources, c.UnknownRules, c.rules)
	for _, h := range c.Holders {
		fmt.Fprintf(&b, "%q", []string{h.Subject.Kind, h.Subject.Namespace, h.Subject.Name, h.Scope, h.BindingKind, h.Binding, h.Doubt})
	}
	return b.String()
}

// merged joins the changes that are the same in several units, and sorts them: the gravest first.
func merged(all []*Change) []Change {
	bySignature := map[string]*Change{}
	var list []*Change
	for _, c := range all {
		if known := bySignature[c.signature()]; known != nil {
			known.Units = append(known.Units, c.Units...)
			known.gains = append(known.gains, c.gains...)
			continue
		}
		bySignature[c.signature()] = c
		list = append(list, c)
	}
	slices.SortStableFunc(list, compareChanges)
	changes := make([]Change, len(list))
	for i, c := range list {
		slices.Sort(c.Units)
		c.Units = slices.Compact(c.Units)
		changes[i] = *c
	}
	return changes
}

func compareChanges(a, b *Change) int {
	return cmp.Or(
		cmp.Compare(gains.ClassIndex(a.Class), gains.ClassIndex(b.Class)),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.rank, b.rank),
		gains.CompareRoles(a.Role, b.Role),
		compareSubjects(a.Holders[0].Subject, b.Holders[0].Subject),
		strings.Compare(a.Holders[0].Scope, b.Holders[0].Scope),
		strings.Compare(a.Holders[0].Binding, b.Holders[0].Binding),
		strings.Compare(a.Units[0], b.Units[0]),
	)
}
