package policyrules

import (
	"iter"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// Index is a set of rules, indexed so that the few candidates for a permission are found quickly. The RBAC library
// decides which of them cover it. Comparing every permission with every rule would take minutes for a large operator.
type Index struct {
	// named are the rules by group, resource, and name, "" for all names.
	named map[indexKey][]*indexedRule
	// wide are the rules with too many combinations for the index, urls those for URLs.
	wide, urls []*indexedRule
	// known are the rules by content, single those of one permission.
	known  map[string]bool
	single map[singleRule]bool
	// spent counts the entries of candidates that were compared.
	spent int
}

type indexKey struct{ group, resource, name string }

// singleRule is a rule for one verb on one resource.
type singleRule struct {
	verb string
	simpleRule
}

// indexedRule is a rule with the number of its entries, which is what a comparison with it costs.
type indexedRule struct {
	rbacv1.PolicyRule
	size int
}

const (
	// maxIndexed limits the combinations of one rule in the index, because lists multiply.
	maxIndexed = 10_000
	// MaxPermissions limits the single permissions that are compared. The largest operators in use need about ten thousand.
	MaxPermissions = 100_000
	// maxComparisons limits the entries of rules that they are compared with.
	maxComparisons = 100_000_000
)

// NewIndex indexes rules, each once.
func NewIndex(rules []rbacv1.PolicyRule) *Index {
	x := &Index{named: map[indexKey][]*indexedRule{}, known: map[string]bool{}, single: map[singleRule]bool{}}
	for _, rule := range rules {
		x.Add(rule)
	}
	return x
}

// Add adds a rule, unless the index has the same.
func (x *Index) Add(rule rbacv1.PolicyRule) {
	if !x.isNew(rule) {
		return
	}
	indexed := &indexedRule{rule, int(entries([]rbacv1.PolicyRule{rule}))}
	if len(rule.NonResourceURLs) > 0 {
		x.urls = append(x.urls, indexed)
	}
	if float64(len(rule.APIGroups))*float64(len(rule.Resources))*float64(max(1, len(rule.ResourceNames))) > maxIndexed {
		x.wide = append(x.wide, indexed)
		return
	}
	names := rule.ResourceNames
	if len(names) == 0 {
		names = []string{""}
	}
	for _, group := range rule.APIGroups {
		for _, resource := range rule.Resources {
			for _, name := range names {
				key := indexKey{group, resource, name}
				x.named[key] = append(x.named[key], indexed)
			}
		}
	}
}

// isNew reports whether the index did not have a rule yet, and adds it to the known ones.
func (x *Index) isNew(rule rbacv1.PolicyRule) bool {
	if key, ok := singleRuleOf(rule); ok {
		known := x.single[key]
		x.single[key] = true
		return !known
	}
	key := Key(rule)
	known := x.known[key]
	x.known[key] = true
	return !known
}

// singleRuleOf identifies a rule for one verb on one resource by its content; ok is false for other rules.
func singleRuleOf(rule rbacv1.PolicyRule) (key singleRule, ok bool) {
	if len(rule.Verbs) != 1 || len(rule.NonResourceURLs) > 0 {
		return singleRule{}, false
	}
	rule.NonResourceURLs = nil
	simple, ok := simplify(rule)
	return singleRule{rule.Verbs[0], simple}, ok
}

// Has reports whether the index has the same rule, which then covers all its permissions. A rule with names and URLs does
// not: the API server lets its names limit the URLs.
func (x *Index) Has(rule rbacv1.PolicyRule) bool {
	if key, ok := singleRuleOf(rule); ok {
		return x.single[key]
	}
	return (len(rule.ResourceNames) == 0 || len(rule.NonResourceURLs) == 0) && x.known[Key(rule)]
}

// Covers reports whether the rules cover a single permission.
func (x *Index) Covers(single rbacv1.PolicyRule) bool {
	candidates := x.candidates(single)
	if len(candidates) == 0 {
		return false
	}
	rules := make([]rbacv1.PolicyRule, len(candidates))
	for i, candidate := range candidates {
		rules[i] = candidate.PolicyRule
		x.spent += candidate.size
	}
	ok, _ := validation.Covers(rules, []rbacv1.PolicyRule{single})
	return ok
}

// CoversEverything reports whether the rules allow everything, as those of cluster-admin do.
func (x *Index) CoversEverything() bool {
	return x.Covers(ClusterAdmin[0]) && x.Covers(ClusterAdmin[1])
}

// candidates returns the rules that could cover a single permission.
func (x *Index) candidates(p rbacv1.PolicyRule) []*indexedRule {
	if len(p.NonResourceURLs) > 0 {
		return x.urls
	}
	found := slices.Clone(x.wide)
	for group := range orAll(p.APIGroups[0]) {
		for resource := range widerResources(p.Resources[0]) {
			found = append(found, x.named[indexKey{group, resource, ""}]...)
			for _, name := range p.ResourceNames {
				found = append(found, x.named[indexKey{group, resource, name}]...)
			}
		}
	}
	return found
}

// orAll yields a word, and the wildcard that includes it.
func orAll(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if yield(word) && word != "*" {
			yield("*")
		}
	}
}

// widerResources yields the resources in rules that include a resource, itself first.
func widerResources(resource string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range orAll(resource) {
			if !yield(word) {
				return
			}
		}
		if _, sub, ok := strings.Cut(resource, "/"); ok && resource != "*/"+sub {
			yield("*/" + sub)
		}
	}
}

// exhausted reports whether a limit of the comparison is reached.
func (x *Index) exhausted() bool { return x.spent > maxComparisons }
