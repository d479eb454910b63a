package policyrules

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// singleSet is a set of single permissions on resources without wildcards. Each covers itself, and the same for one name, so that no rules
// need to be compared.
type singleSet map[singleRule]bool

// newSingleSet returns the set of some rules; ok is false if one of them is something else.
func newSingleSet(rules []rbacv1.PolicyRule) (set singleSet, ok bool) {
	set = make(singleSet, len(rules))
	for _, rule := range rules {
		key, single := singleRuleOf(rule)
		if !single || strings.Contains(key.verb, "*") || strings.Contains(key.group, "*") || strings.Contains(key.resource, "*") {
			return nil, false
		}
		set[key] = true
	}
	return set, true
}

// covers reports whether the set covers a single permission.
func (s singleSet) covers(single rbacv1.PolicyRule) bool {
	key, ok := singleRuleOf(single)
	if !ok {
		return false
	}
	if s[key] {
		return true
	}
	key.name, key.named = "", false
	return s[key]
}

// compare is Compare with the set as the owner.
func (s singleSet) compare(wanted []rbacv1.PolicyRule) (missing, notCompared []rbacv1.PolicyRule) {
	single, tooMany := breakdownSome(wanted)
	for _, one := range single {
		if !s.covers(one) {
			missing = append(missing, one)
		}
	}
	return missing, tooMany
}
