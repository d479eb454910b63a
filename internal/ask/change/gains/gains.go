package gains

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Gain is what an entry adds to all that its subject holds in the other state.
type Gain struct {
	*Entry

	*Difference

	// Old is the same entry in the other state, perhaps with other rules; nil if there is none.
	Old *Entry
	// combined is set if the subject becomes a cluster-admin by this gain together with its other roles.
	combined bool
	// actsForSome is set if the gain is one half of constrained impersonation, or both, and the subject holds the other.
	actsForSome bool
	// mapped are the ConfigMaps about identities that the unit has in the namespace of the gain.
	mapped []string
}

// Difference are permissions that one state grants and that are not held in the other. Subjects that hold the same share it, because a
// short role can contain a million permissions.
type Difference struct {
	// Permissions are single ones; notCompared are rules that are too many to compare.
	Permissions, notCompared []rbacv1.PolicyRule
	// Unknown are roles whose rules are unknown.
	Unknown []rbac.RoleRef
	// Compact are all of these rules, compacted, and Key identifies them.
	Compact []rbacv1.PolicyRule
	Key     string
}

// differenceKey identifies a difference: the rules that are granted, and all that is held where they are granted.
type differenceKey struct {
	clusterWide   bool
	content, held string
}

// grantKey identifies what an entry grants, and its subject.
type grantKey struct {
	who            rbac.Subject
	scope, content string
}

// Between lists what the subjects of one state hold in it and not in the other, in the order of the unit.
func Between(from, to *State) []*Gain {
	origins := originsOf(from, to)
	moved := movedFolders(to, origins)
	granted := map[grantKey][]*Entry{}
	for _, e := range from.Entries {
		key := grantKey{e.Who, e.Scope, e.content}
		granted[key] = append(granted[key], e)
	}
	var found []*Gain
	for _, e := range to.Entries {
		old := origins[e]
		folder := cmp.Or(moved[folderOf(e)], folderOf(e))
		if old != nil {
			folder = folderOf(old)
		}
		if from.grants(granted, e, folder) {
			continue
		}
		if g := from.gain(e, folder); g != nil {
			if old != nil && old.Role == e.Role {
				g.Old = old
			}
			g.actsForSome = to.actsForSome(g)
			g.mapped = to.identityMaps(e.Scope)
			found = append(found, g)
		}
	}
	markAdministrators(from, to, found)
	return found
}

// identityMaps returns the names of the ConfigMaps about identities that the unit has in a namespace. A rule for all ConfigMaps there reaches them.
func (s *State) identityMaps(namespace string) []string {
	core := ""
	return slices.DeleteFunc(danger.NamedObjects(namespace), func(name string) bool {
		return !slices.ContainsFunc(s.Unit.Find(objects.Query{Group: &core, Kind: "ConfigMap", Name: name}), func(o *objects.Object) bool { return o.Namespace == namespace })
	})
}

// actsForSome reports whether a gain completes constrained impersonation in the state, or extends it.
func (s *State) actsForSome(g *Gain) bool {
	if s.Unit.KubernetesVersions().Before(danger.ConstrainedSince) {
		return false
	}
	acts := func(rules []rbacv1.PolicyRule, scope, mode string) bool {
		return slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool { return slices.Contains(danger.ModesOf(rule, scope), mode) })
	}
	requests := func(rules []rbacv1.PolicyRule, _, mode string) bool {
		return slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool {
			_, ok := danger.ForOthers(rule, mode)
			return ok
		})
	}
	holds := func(what func([]rbacv1.PolicyRule, string, string) bool, mode string) bool {
		for scope, rules := range s.Holdings(g.Who, folderOf(g.Entry)).All.Rules { // cached, and rarely needed
			if what(rules, scope, mode) {
				return true
			}
		}
		return false
	}
	gained := slices.DeleteFunc(slices.Clone(g.Compact), func(rule rbacv1.PolicyRule) bool { return slices.Contains(rule.Verbs, "*") })
	for _, mode := range danger.Modes() {
		if (acts(gained, g.Scope, mode) || requests(gained, g.Scope, mode)) && holds(acts, mode) && holds(requests, mode) {
			return true
		}
	}
	return false
}

func folderOf(e *Entry) string { return path.Dir(e.Object.File) }

// grants reports whether the state has an entry with the same rules for the same subject, in the scope or cluster-wide. Most
// entries do not change, so this saves comparing their rules.
func (s *State) grants(granted map[grantKey][]*Entry, e *Entry, folder string) bool {
	for _, scope := range []string{e.Scope, ""} {
		for _, other := range granted[grantKey{e.Who, scope, e.content}] {
			near := s.Unit.Kind != objects.PlainUnit || other.Default || matching.SameCluster(folderOf(other), folder)
			if near && (other.isCertain() || !e.isCertain()) {
				return true
			}
		}
	}
	return false
}

// MayGrant reports whether the state has an entry with the same rules for the same subject and scope that may be missing from the cluster. What its tool
// leaves out stays as it was, so nothing is known to be lost.
func (s *State) MayGrant(e *Entry) bool {
	return slices.ContainsFunc(s.ByWho[e.Who], func(other *Entry) bool {
		return other.whyMissing != "" && other.Scope == e.Scope && other.content == e.content
	})
}

// gain compares an entry of the other state with what its subject holds in this one. What may not apply does not count as held,
// unless it may not apply in the other state either.
func (s *State) gain(e *Entry, folder string) *Gain {
	held := s.Holdings(e.Who, folder)
	before, signatures := held.Certain, held.certainSignatures
	if !e.isCertain() {
		before, signatures = held.All, held.signatures
	}
	key := differenceKey{e.Scope == "", e.content, signatures[""] + "\x00" + signatures[e.Scope]}
	d, known := s.differences[key]
	if !known {
		d = DifferenceOf(e, before)
		s.differences[key] = d
	}
	if d == nil {
		return nil
	}
	return &Gain{Entry: e, Difference: d}
}

// DifferenceOf returns what an entry grants and an effect does not include, nil if there is nothing.
func DifferenceOf(e *Entry, held permission.Effect) *Difference {
	left, notCompared := EffectOf(e.Scope, e.Rules).Compare(held)
	if left.Empty() && notCompared.Empty() {
		return nil
	}
	d := &Difference{Permissions: left.Rules[e.Scope], notCompared: notCompared.Rules[e.Scope]}
	for role := range left.Roles {
		d.Unknown = append(d.Unknown, role.Role)
	}
	slices.SortFunc(d.Unknown, CompareRoles)
	d.Compact = policyrules.Compact(slices.Concat(d.Permissions, d.notCompared))
	d.Key = RulesKey(d.Compact)
	return d
}

// originsOf finds for each entry the one that it was in the other state: of the same binding in the same file, of the same binding
// that was moved, of another binding with the same role in the same scope, or of another role in the scope. Each is the origin of one
// entry.
func originsOf(from, to *State) map[*Entry]*Entry {
	origins := map[*Entry]*Entry{}
	used := map[*Entry]bool{}
	for _, level := range []func(*Entry) originKey{
		func(e *Entry) originKey {
			return originKey{e.Who, e.Role, e.Scope, e.Object.Kind, e.Object.Name, e.Object.File}
		},
		func(e *Entry) originKey { return originKey{e.Who, e.Role, e.Scope, e.Object.Kind, e.Object.Name, ""} },
		func(e *Entry) originKey { return originKey{e.Who, e.Role, e.Scope, "", "", ""} },
		func(e *Entry) originKey { return originKey{who: e.Who, scope: e.Scope} },
	} {
		candidates := map[originKey][]*Entry{}
		for _, e := range from.Entries {
			if !used[e] {
				candidates[level(e)] = append(candidates[level(e)], e)
			}
		}
		for _, e := range to.Entries {
			key := level(e)
			if origins[e] != nil || len(candidates[key]) == 0 {
				continue
			}
			at := slices.IndexFunc(candidates[key], func(old *Entry) bool { return !toOtherCluster(old, e) })
			if at < 0 {
				continue
			}
			origins[e] = candidates[key][at]
			used[origins[e]] = true
			candidates[key] = slices.Delete(candidates[key], at, at+1)
		}
	}
	return origins
}

// toOtherCluster reports whether a binding of plain files moved to the folder of another cluster, where it is new.
func toOtherCluster(old, now *Entry) bool {
	return !old.Default && !now.Default && old.Object.File != now.Object.File && matching.OtherCluster(folderOf(old), folderOf(now))
}

// movedFolders returns the earlier names of the folders of entries that were in a folder without entries today.
func movedFolders(to *State, origins map[*Entry]*Entry) map[string]string {
	today := map[string]bool{}
	for _, e := range to.Entries {
		today[folderOf(e)] = true
	}
	moved := map[string]string{}
	for _, e := range to.Entries {
		if old := origins[e]; old != nil && !today[folderOf(old)] && moved[folderOf(e)] == "" {
			moved[folderOf(e)] = folderOf(old)
		}
	}
	return moved
}

// originKey is what two entries have in common if one was the other; "" stands for any value.
type originKey struct {
	who              rbac.Subject
	role             rbac.RoleRef
	scope            string
	kind, name, file string
}

// markAdministrators marks the subjects that become cluster-admins by several roles together, at the gravest of their gains.
func markAdministrators(from, to *State, found []*Gain) {
	type place struct {
		who    rbac.Subject
		folder string
	}
	of := map[place][]*Gain{}
	for _, g := range found {
		if g.Scope == "" {
			at := place{who: g.Who}
			if to.Unit.Kind == objects.PlainUnit {
				at.folder = folderOf(g.Entry)
			}
			of[at] = append(of[at], g)
		}
	}
	for at, list := range of {
		if slices.ContainsFunc(list, func(g *Gain) bool { return isAdministrator(g.Permissions) }) {
			continue
		}
		now := to.Holdings(at.who, at.folder).All.Rules[""]
		then := from.Holdings(at.who, at.folder).Certain.Rules[""]
		if isAdministrator(now) && !isAdministrator(then) {
			slices.MaxFunc(list, func(a, b *Gain) int { return len(a.Permissions) - len(b.Permissions) }).combined = true
		}
	}
}

// Contribution are the rules of a role that allow some of what is gained: those of the role itself, or those that it takes from
// roles of the repository.
type Contribution struct {
	Own     []rbacv1.PolicyRule
	Sources []Source
}

// Source is a role of the repository with the rules that an aggregated role takes from it.
type Source struct {
	rbac.RuleSource

	Rules []rbacv1.PolicyRule
}

// Contribution returns the rules of the role that allow some of what is gained.
func (g *Gain) Contribution() Contribution {
	var c Contribution
	bySource := map[rbac.RuleSource][]rbacv1.PolicyRule{}
	for i, rule := range g.Rules.Rules {
		from := g.Rules.Source(i)
		isOwn := from.Role.Name == "" || from.Role == g.Role
		if !isOwn && from.Object == nil || !g.gains(rule) {
			continue
		}
		if isOwn {
			c.Own = append(c.Own, rule)
		} else {
			bySource[from] = append(bySource[from], rule)
		}
	}
	for _, from := range slices.SortedFunc(maps.Keys(bySource), func(a, b rbac.RuleSource) int { return CompareRoles(a.Role, b.Role) }) {
		c.Sources = append(c.Sources, Source{from, bySource[from]})
	}
	return c
}

// gains reports whether a rule allows some of what is gained.
func (g *Gain) gains(rule rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(g.notCompared, func(r rbacv1.PolicyRule) bool { return policyrules.Same(r, rule) }) ||
		slices.ContainsFunc(g.Permissions, func(single rbacv1.PolicyRule) bool { return includes(rule, single) })
}

// includes reports whether a rule includes a single permission.
func includes(rule, single rbacv1.PolicyRule) bool {
	if len(single.NonResourceURLs) > 0 {
		return rbac.Allows(rule, rbac.Request{Verb: single.Verbs[0], Path: single.NonResourceURLs[0]})
	}
	resource, subresource, _ := strings.Cut(single.Resources[0], "/")
	r := rbac.Request{Verb: single.Verbs[0], Group: single.APIGroups[0], Resource: resource, Subresource: subresource}
	if len(single.ResourceNames) > 0 {
		r.Name = single.ResourceNames[0]
	}
	return rbac.Allows(rule, r)
}

// Key identifies what a subject gains.
type Key struct {
	who   rbac.Subject
	scope string
	role  rbac.RoleRef
	rules string
}

// Identity returns what identifies a gain in both states.
func (g *Gain) Identity() Key { return Key{g.Who, g.Scope, g.Role, g.Key} }

// IsUnknown reports whether the same entry is in both states, and the rules of its role are known in one of them only.
func (g *Gain) IsUnknown() bool {
	return g.Old != nil && (len(g.Compact) == 0 || len(g.Old.Rules.Unknown) > 0)
}

// RulesKey identifies rules.
func RulesKey(rules []rbacv1.PolicyRule) string {
	var b strings.Builder
	for _, rule := range rules {
		b.WriteString(policyrules.Key(rule))
	}
	return b.String()
}

// CompareRoles orders roles.
func CompareRoles(a, b rbac.RoleRef) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}
