package change

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

// gain is what an entry adds to all that its subject holds in the other state.
type gain struct {
	*entry

	*difference

	// old is the same entry in the other state, perhaps with other rules; nil if there is none.
	old *entry
	// combined is set if the subject becomes a cluster-admin by this gain together with its other roles.
	combined bool
	// actsForSome is set if the gain is one half of constrained impersonation, or both, and the subject holds the other.
	actsForSome bool
}

// difference are permissions that one state grants and that are not held in the other. Subjects that hold the same share it, because a
// short role can contain a million permissions.
type difference struct {
	// missing are single permissions; notCompared are rules that are too many to compare.
	missing, notCompared []rbacv1.PolicyRule
	// unknown are roles whose rules are unknown.
	unknown []rbac.RoleRef
	// compact are all of these rules, compacted, and key identifies them.
	compact []rbacv1.PolicyRule
	key     string
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

// gains lists what the subjects of one state hold in it and not in the other, in the order of the unit.
func gains(from, to *state) []*gain {
	origins := originsOf(from, to)
	moved := movedFolders(to, origins)
	granted := map[grantKey][]*entry{}
	for _, e := range from.entries {
		key := grantKey{e.who, e.Scope, e.content}
		granted[key] = append(granted[key], e)
	}
	var found []*gain
	for _, e := range to.entries {
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
				g.old = old
			}
			g.actsForSome = to.actsForSome(g)
			found = append(found, g)
		}
	}
	markAdministrators(from, to, found)
	return found
}

// actsForSome reports whether a gain completes constrained impersonation in the state, or extends it.
func (s *state) actsForSome(g *gain) bool {
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
		for scope, rules := range s.holdings(g.who, folderOf(g.entry)).all.Rules { // cached, and rarely needed
			if what(rules, scope, mode) {
				return true
			}
		}
		return false
	}
	gained := slices.DeleteFunc(slices.Clone(g.compact), func(rule rbacv1.PolicyRule) bool { return slices.Contains(rule.Verbs, "*") })
	for _, mode := range danger.Modes() {
		if (acts(gained, g.Scope, mode) || requests(gained, g.Scope, mode)) && holds(acts, mode) && holds(requests, mode) {
			return true
		}
	}
	return false
}

func folderOf(e *entry) string { return path.Dir(e.Object.File) }

// grants reports whether the state has an entry with the same rules for the same subject, in the scope or cluster-wide. Most
// entries do not change, so this saves comparing their rules.
func (s *state) grants(granted map[grantKey][]*entry, e *entry, folder string) bool {
	for _, scope := range []string{e.Scope, ""} {
		for _, other := range granted[grantKey{e.who, scope, e.content}] {
			near := s.unit.Kind != objects.PlainUnit || other.Default || sameCluster(folderOf(other), folder)
			if near && (other.isCertain() || !e.isCertain()) {
				return true
			}
		}
	}
	return false
}

// mayGrant reports whether the state has an entry with the same rules for the same subject and scope that may be missing from the cluster. What its tool
// leaves out stays as it was, so nothing is known to be lost.
func (s *state) mayGrant(e *entry) bool {
	return slices.ContainsFunc(s.byWho[e.who], func(other *entry) bool {
		return other.whyMissing != "" && other.Scope == e.Scope && other.content == e.content
	})
}

// gain compares an entry of the other state with what its subject holds in this one. What may not apply does not count as held,
// unless it may not apply in the other state either.
func (s *state) gain(e *entry, folder string) *gain {
	held := s.holdings(e.who, folder)
	before, signatures := held.certain, held.certainSignatures
	if !e.isCertain() {
		before, signatures = held.all, held.signatures
	}
	key := differenceKey{e.Scope == "", e.content, signatures[""] + "\x00" + signatures[e.Scope]}
	d, known := s.differences[key]
	if !known {
		d = differenceOf(e, before)
		s.differences[key] = d
	}
	if d == nil {
		return nil
	}
	return &gain{entry: e, difference: d}
}

// differenceOf returns what an entry grants and an effect does not include, nil if there is nothing.
func differenceOf(e *entry, held permission.Effect) *difference {
	left, notCompared := effectOf(e.Scope, e.rules).Compare(held)
	if left.Empty() && notCompared.Empty() {
		return nil
	}
	d := &difference{missing: left.Rules[e.Scope], notCompared: notCompared.Rules[e.Scope]}
	for role := range left.Roles {
		d.unknown = append(d.unknown, role.Role)
	}
	slices.SortFunc(d.unknown, compareRoles)
	d.compact = policyrules.Compact(slices.Concat(d.missing, d.notCompared))
	d.key = rulesKey(d.compact)
	return d
}

// originsOf finds for each entry the one that it was in the other state: of the same binding in the same file, of the same binding
// that was moved, of another binding with the same role in the same scope, or of another role in the scope. Each is the origin of one
// entry.
func originsOf(from, to *state) map[*entry]*entry {
	origins := map[*entry]*entry{}
	used := map[*entry]bool{}
	for _, level := range []func(*entry) originKey{
		func(e *entry) originKey {
			return originKey{e.who, e.Role, e.Scope, e.Object.Kind, e.Object.Name, e.Object.File}
		},
		func(e *entry) originKey { return originKey{e.who, e.Role, e.Scope, e.Object.Kind, e.Object.Name, ""} },
		func(e *entry) originKey { return originKey{e.who, e.Role, e.Scope, "", "", ""} },
		func(e *entry) originKey { return originKey{who: e.who, scope: e.Scope} },
	} {
		candidates := map[originKey][]*entry{}
		for _, e := range from.entries {
			if !used[e] {
				candidates[level(e)] = append(candidates[level(e)], e)
			}
		}
		for _, e := range to.entries {
			key := level(e)
			if origins[e] != nil || len(candidates[key]) == 0 {
				continue
			}
			at := slices.IndexFunc(candidates[key], func(old *entry) bool { return !toOtherCluster(old, e) })
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
func toOtherCluster(old, now *entry) bool {
	return !old.Default && !now.Default && old.Object.File != now.Object.File && matching.OtherCluster(folderOf(old), folderOf(now))
}

// movedFolders returns the earlier names of the folders of entries that were in a folder without entries today.
func movedFolders(to *state, origins map[*entry]*entry) map[string]string {
	today := map[string]bool{}
	for _, e := range to.entries {
		today[folderOf(e)] = true
	}
	moved := map[string]string{}
	for _, e := range to.entries {
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
func markAdministrators(from, to *state, found []*gain) {
	type place struct {
		who    rbac.Subject
		folder string
	}
	of := map[place][]*gain{}
	for _, g := range found {
		if g.Scope == "" {
			at := place{who: g.who}
			if to.unit.Kind == objects.PlainUnit {
				at.folder = folderOf(g.entry)
			}
			of[at] = append(of[at], g)
		}
	}
	for at, list := range of {
		if slices.ContainsFunc(list, func(g *gain) bool { return isAdministrator(g.missing) }) {
			continue
		}
		now := to.holdings(at.who, at.folder).all.Rules[""]
		then := from.holdings(at.who, at.folder).certain.Rules[""]
		if isAdministrator(now) && !isAdministrator(then) {
			slices.MaxFunc(list, func(a, b *gain) int { return len(a.missing) - len(b.missing) }).combined = true
		}
	}
}

func isAdministrator(rules []rbacv1.PolicyRule) bool {
	all, _ := policyrules.Covers(rules, []rbacv1.PolicyRule{rbac.Everything()})
	return all
}

// contributing are the rules of a role that allow some of what is gained: those of the role itself, or those that it takes from
// roles of the repository.
type contributing struct {
	own     []rbacv1.PolicyRule
	sources []source
}

// source is a role of the repository with the rules that an aggregated role takes from it.
type source struct {
	rbac.RuleSource

	rules []rbacv1.PolicyRule
}

func (g *gain) contributing() contributing {
	var c contributing
	bySource := map[rbac.RuleSource][]rbacv1.PolicyRule{}
	for i, rule := range g.rules.Rules {
		from := g.rules.Source(i)
		isOwn := from.Role.Name == "" || from.Role == g.Role
		if !isOwn && from.Object == nil || !g.gains(rule) {
			continue
		}
		if isOwn {
			c.own = append(c.own, rule)
		} else {
			bySource[from] = append(bySource[from], rule)
		}
	}
	for _, from := range slices.SortedFunc(maps.Keys(bySource), func(a, b rbac.RuleSource) int { return compareRoles(a.Role, b.Role) }) {
		c.sources = append(c.sources, source{from, bySource[from]})
	}
	return c
}

// gains reports whether a rule allows some of what is gained.
func (g *gain) gains(rule rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(g.notCompared, func(r rbacv1.PolicyRule) bool { return policyrules.Same(r, rule) }) ||
		slices.ContainsFunc(g.missing, func(single rbacv1.PolicyRule) bool { return includes(rule, single) })
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
