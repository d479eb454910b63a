package rules

import (
	"math"
	"strconv"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// valueCache keeps objects in the form of policies: converting one costs more than most evaluations.
type valueCache struct {
	values  sync.Map // *objects.Object → ast.Object
	objects sync.Map // ast.Object → *objects.Object
	rules   sync.Map // rbac.RuleLists → keptRule
	// granted are the rules of the terms in rules, so that a list of them need not be read again.
	granted sync.Map // ast.Value → rbacv1.PolicyRule
}

// keptRule is a rule of a role in the form of policies. Keeping the rule keeps the places in its key from being used again.
type keptRule struct {
	rule rbacv1.PolicyRule
	term *ast.Term
}

// ofRule returns a rule of a role in the form of policies.
func (c *valueCache) ofRule(r rbacv1.PolicyRule) *ast.Term {
	key := rbac.ListsOf(r)
	if kept, ok := c.rules.Load(key); ok {
		return kept.(keptRule).term
	}
	term := ast.NewTerm(ruleValue(r))
	c.granted.Store(term.Value, r) // before another goroutine can get the term
	kept, there := c.rules.LoadOrStore(key, keptRule{r, term})
	if there {
		c.granted.Delete(term.Value)
	}
	return kept.(keptRule).term
}

// ofRules returns rules of roles in the form of policies.
func (c *valueCache) ofRules(rules []rbacv1.PolicyRule) ast.Value {
	terms := make([]*ast.Term, len(rules))
	for i, r := range rules {
		terms[i] = c.ofRule(r)
	}
	return ast.NewArray(terms...)
}

// ruleOf returns the rule from which a value was created. ok is false for a value that a policy created. A nil cache has no
// values.
func (c *valueCache) ruleOf(value ast.Object) (rule rbacv1.PolicyRule, ok bool) {
	if c == nil {
		return rule, false
	}
	known, ok := c.granted.Load(value)
	if ok {
		rule = known.(rbacv1.PolicyRule)
	}
	return rule, ok
}

// ruleValue has all fields, including empty ones, so that a policy need not check whether they exist.
func ruleValue(r rbacv1.PolicyRule) ast.Value {
	return ast.NewObject(
		field("apiGroups", arrayOf(r.APIGroups, textValue)), field("resources", arrayOf(r.Resources, textValue)),
		field("resourceNames", arrayOf(r.ResourceNames, textValue)),
		field("nonResourceURLs", arrayOf(r.NonResourceURLs, textValue)), field("verbs", arrayOf(r.Verbs, textValue)),
	)
}

func (c *valueCache) of(o *objects.Object) ast.Value {
	if v, ok := c.values.Load(o); ok {
		return v.(ast.Value)
	}
	made := valueOf(o.JSON())
	c.objects.Store(made, o) // before another goroutine can get the value: it would count as one that a policy made
	v, there := c.values.LoadOrStore(o, made)
	if there {
		c.objects.Delete(made)
	}
	return v.(ast.Value)
}

// has reports whether a value was created from an object.
func (c *valueCache) has(value ast.Object) bool {
	_, found := c.objects.Load(value)
	return found
}

// objectOf returns the object from which a value was created, nil if a policy created it.
func (c *valueCache) objectOf(value ast.Value) *objects.Object {
	if _, ok := value.(ast.Object); !ok {
		return nil
	}
	o, _ := c.objects.Load(value)
	object, _ := o.(*objects.Object)
	return object
}

// valueOf converts a decoded manifest. OPA's own conversion accepts the infinite numbers that exist in YAML and not in
// JSON, and panics when it compares them; here they are strings.
func valueOf(decoded any) ast.Value {
	switch decoded := decoded.(type) {
	case map[string]any:
		object := ast.NewObjectWithCapacity(len(decoded))
		for key, value := range decoded {
			object.Insert(ast.InternedTerm(key), ast.NewTerm(valueOf(value)))
		}
		return object
	case []any:
		terms := make([]*ast.Term, len(decoded))
		for i, value := range decoded {
			terms[i] = ast.NewTerm(valueOf(value))
		}
		return ast.NewArray(terms...)
	case string:
		return ast.String(decoded)
	case bool:
		return ast.Boolean(decoded)
	case int64:
		return ast.Number(strconv.FormatInt(decoded, 10))
	case float64:
		text := strconv.FormatFloat(decoded, 'g', -1, 64)
		if math.IsInf(decoded, 0) || math.IsNaN(decoded) {
			return ast.String(text)
		}
		return ast.Number(text)
	default:
		return ast.NullValue
	}
}
