package change

import (
	"reflect"
	"slices"

	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Policy is an admission policy that is removed or changed.
type Policy struct {
	Kind, Namespace, Name string
	Effect                PolicyEffect
	Severity              finding.Severity
	// Place is the object in the state that has it, the later one if both do.
	Place objects.Position
	Units []string
}

// PolicyEffect is what becomes of a policy.
type PolicyEffect string

// The effects, the gravest first.
const (
	Removed       PolicyEffect = "removed"
	NoLongerDeny  PolicyEffect = "no-longer-denies"
	WithoutPolicy PolicyEffect = "without-policy"
	FailsOpen     PolicyEffect = "fails-open"
	Edited        PolicyEffect = "changed"
)

var policyEffects = []PolicyEffect{Removed, WithoutPolicy, NoLongerDeny, FailsOpen, Edited}

// policiesOf compares the admission policies of the two states of a unit.
func policiesOf(p matching.Pair, before *gains.State) []Policy {
	after := map[matching.ID][]*objects.Object{}
	for _, o := range p.After.Objects {
		if policies.Is(o) {
			after[matching.IDOf(o)] = append(after[matching.IDOf(o)], o)
		}
	}
	var found []Policy
	for _, o := range p.Before.Objects {
		if !policies.Is(o) {
			continue
		}
		now := sameObject(after, o)
		effect, place := effectOn(o, now), o
		if now != nil && policies.Denies(o) && losesPolicy(p, o, now) {
			effect = WithoutPolicy
		}
		if now != nil {
			place = now
		}
		if effect == "" {
			continue
		}
		severity := finding.Warning
		if !policies.Denies(o) || effect == Edited && policies.OnlyNewer(o, now) {
			severity = finding.Note
		}
		found = append(found, Policy{o.Kind, o.Namespace, o.Name, effect, severity, place.Position(nil), before.Names(o)})
	}
	return found
}

// losesPolicy reports whether a binding refers to a policy that only the earlier state contains, or to another one that is not in the
// repository.
func losesPolicy(p matching.Pair, then, now *objects.Object) bool {
	if now.Kind != "ValidatingAdmissionPolicyBinding" {
		return false
	}
	has := func(u *objects.Unit, binding *objects.Object) bool {
		return len(u.Find(objects.Query{Kind: "ValidatingAdmissionPolicy", Name: jsonfield.Text(jsonfield.At(binding, "spec", "policyName"))})) > 0
	}
	return has(p.Before, then) && !has(p.After, now)
}

// sameObject takes the object that another one has become: in the same file, otherwise any of its identity.
func sameObject(after map[matching.ID][]*objects.Object, o *objects.Object) *objects.Object {
	list := after[matching.IDOf(o)]
	if len(list) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(list, func(other *objects.Object) bool { return other.File == o.File }))
	found := list[i]
	after[matching.IDOf(o)] = slices.Delete(slices.Clone(list), i, i+1)
	return found
}

// effectOn returns what becomes of a policy, "" if nothing; nil is a policy that does not exist.
func effectOn(before, after *objects.Object) PolicyEffect {
	switch {
	case after == nil:
		return Removed
	case policies.Denies(before) && !policies.Denies(after):
		return NoLongerDeny
	case !policies.FailsOpen(before) && policies.FailsOpen(after):
		return FailsOpen
	case !reflect.DeepEqual(policies.Content(before), policies.Content(after)):
		return Edited
	}
	return ""
}

// mergedPolicies joins what is the same in several units, and sorts it.
func mergedPolicies(all []Policy) []Policy {
	type key struct {
		kind, namespace, name string
		effect                PolicyEffect
	}
	at := map[key]int{}
	var merged []Policy
	for _, p := range all {
		k := key{p.Kind, p.Namespace, p.Name, p.Effect}
		if i, known := at[k]; known {
			merged[i].Units = append(merged[i].Units, p.Units...)
			continue
		}
		at[k] = len(merged)
		merged = append(merged, p)
	}
	for i := range merged {
		slices.Sort(merged[i].Units)
		merged[i].Units = slices.Compact(merged[i].Units)
	}
	slices.SortStableFunc(merged, func(a, b Policy) int {
		if order := slices.Index(policyEffects, a.Effect) - slices.Index(policyEffects, b.Effect); order != 0 {
			return order
		}
		return compareText(a.Kind, b.Kind, a.Namespace, b.Namespace, a.Name, b.Name)
	})
	return merged
}
