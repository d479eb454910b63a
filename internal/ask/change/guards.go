package change

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// weakened reports exceptions and mutations that are new or changed.
func (c *objectComparison) weakened(then, now *objects.Object) {
	text := policies.Weakening(then, now)
	if text == "" {
		return
	}
	is := "new"
	if then != nil {
		is = "changed"
	}
	c.add(now, policyRule, finding.Warning, fmt.Sprintf("%s is %s: %s", nameText(now), is, text), "Check what passes, or changes, by it.")
}

// unmutated reports a mutation that is removed: what it sets can be what limits a pod.
func (c *objectComparison) unmutated(o *objects.Object) {
	if policies.Mutates(o) {
		c.add(o, policyRule, finding.Note, nameText(o)+" is removed: what it changes is admitted as others write it", "Check what it sets.")
	}
}

// parameters reports an object from which a policy takes what it allows, if it is new, changed, or removed (now is nil).
func (c *objectComparison) parameters(then, now *objects.Object) {
	place, is := now, "changed"
	switch {
	case now == nil:
		place, is = then, "removed"
	case then == nil:
		is = "new"
	case reflect.DeepEqual(jsonfield.Content(then), jsonfield.Content(now)):
		return
	}
	policy := c.parametersOf().Of(place)
	if policy == nil || then == nil && c.earlier(policy) == nil {
		return
	}
	c.add(place, policyRule, finding.Warning, fmt.Sprintf("%s, a parameter of %s, is %s, and what that still rejects is not compared", nameText(place), nameText(policy), is), "Check what it allows.")
}

// parametersOf reads what the policies of the unit, or of the cluster, take as parameters.
func (c *objectComparison) parametersOf() policies.Parameters {
	if c.taken == nil {
		found := policies.ParametersOf(c.after.Unit.Objects)
		c.taken = &found
	}
	return *c.taken
}

// earlier returns the object of the earlier state with the identity of another one; nil if there is none.
func (c *objectComparison) earlier(o *objects.Object) *objects.Object {
	i := slices.IndexFunc(c.before.Unit.Objects, func(old *objects.Object) bool { return matching.IDOf(old) == matching.IDOf(o) })
	if i < 0 {
		return nil
	}
	return c.before.Unit.Objects[i]
}

// exempted reports policies that a namespace leaves by its labels.
func (c *objectComparison) exempted(then, now *objects.Object) {
	if then != nil && reflect.DeepEqual(jsonfield.At(then, "metadata", "labels"), jsonfield.At(now, "metadata", "labels")) {
		return
	}
	c.addExemptions(now, policies.Exemptions(c.after.Unit.Objects, then, now))
}

func (c *objectComparison) addExemptions(now *objects.Object, found []policies.Exemption) {
	for _, e := range found {
		policy, severity := "Gatekeeper", finding.Note
		if e.Policy != nil {
			policy = nameText(e.Policy)
		}
		if e.Denies {
			severity = finding.Warning
		}
		c.add(now, policyRule, severity, fmt.Sprintf("%s is exempt from %s by its labels", nameText(now), policy), "Check what it admits.")
	}
}
