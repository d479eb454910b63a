package values

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Cache keeps objects in the form of policies: converting one costs more than most evaluations.
type Cache struct {
	values  sync.Map // *objects.Object → ast.Object
	objects sync.Map // ast.Object → *objects.Object
	rules   sync.Map // policyrules.Lists → keptRule
	// granted are the rules of the terms in rules, so that a list of them need not be read again.
	granted sync.Map // ast.Value → rbacv1.PolicyRule
}

// keptRule is a rule of a role in the form of policies. Keeping the rule keeps the places in its key from being used again.
type keptRule struct {
	rule rbacv1.PolicyRule
	term *ast.Term
}

// ofRule returns a rule of a role in the form of policies.
func (c *Cache) ofRule(r rbacv1.PolicyRule) *ast.Term {
	key := policyrules.ListsOf(r)
	if kept, ok := c.rules.Load(key); ok {
		return kept.(keptRule).term
	}
	term := ast.NewTerm(Rule(r))
	c.granted.Store(term.Value, r) // before another goroutine can get the term
	kept, there := c.rules.LoadOrStore(key, keptRule{r, term})
	if there {
		c.granted.Delete(term.Value)
	}
	return kept.(keptRule).term
}

// OfRules returns rules of roles in the form of policies.
func (c *Cache) OfRules(rules []rbacv1.PolicyRule) ast.Value {
	terms := make([]*ast.Term, len(rules))
	for i, r := range rules {
		terms[i] = c.ofRule(r)
	}
	return ast.NewArray(terms...)
}

// ruleOf returns the rule from which a value was created. ok is false for a value that a policy created. A nil cache has no
// values.
func (c *Cache) ruleOf(value ast.Object) (rule rbacv1.PolicyRule, ok bool) {
	if c == nil {
		return rule, false
	}
	known, ok := c.granted.Load(value)
	if ok {
		rule = known.(rbacv1.PolicyRule)
	}
	return rule, ok
}

// Rule has all fields, including empty ones, so that a policy need not check whether they exist.
func Rule(r rbacv1.PolicyRule) ast.Value {
	return ast.NewObject(
		Field("apiGroups", Array(r.APIGroups, String)), Field("resources", Array(r.Resources, String)),
		Field("resourceNames", Array(r.ResourceNames, String)),
		Field("nonResourceURLs", Array(r.NonResourceURLs, String)), Field("verbs", Array(r.Verbs, String)),
	)
}

// Of returns an object in the form of policies.
func (c *Cache) Of(o *objects.Object) ast.Value {
	if v, ok := c.values.Load(o); ok {
		return v.(ast.Value)
	}
	made := Of(o.JSON())
	c.objects.Store(made, o) // before another goroutine can get the value: it would count as one that a policy made
	v, there := c.values.LoadOrStore(o, made)
	if there {
		c.objects.Delete(made)
	}
	return v.(ast.Value)
}

// Has reports whether a value was created from an object.
func (c *Cache) Has(value ast.Object) bool {
	_, found := c.objects.Load(value)
	return found
}

// ObjectOf returns the object from which a value was created, nil if a policy created it.
func (c *Cache) ObjectOf(value ast.Value) *objects.Object {
	if _, ok := value.(ast.Object); !ok {
		return nil
	}
	o, _ := c.objects.Load(value)
	object, _ := o.(*objects.Object)
	return object
}

// Of converts a decoded manifest. OPA's own conversion accepts the infinite numbers that exist in YAML and not in
// JSON, and panics when it compares them; here they are strings.
func Of(decoded any) ast.Value {
	switch decoded := decoded.(type) {
	case map[string]any:
		object := ast.NewObjectWithCapacity(len(decoded))
		for key, value := range decoded {
			object.Insert(ast.InternedTerm(key), ast.NewTerm(Of(value)))
		}
		return object
	case []any:
		terms := make([]*ast.Term, len(decoded))
		for i, value := range decoded {
			terms[i] = ast.NewTerm(Of(value))
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

// Path is a path in the form of policies: keys are strings, indexes are numbers.
func Path(root *manifest.Node, path manifest.Path) ast.Value {
	steps := make([]*ast.Term, 0, len(path))
	for i, step := range path {
		index, err := strconv.Atoi(step)
		if err == nil && root.Lookup(path[:i]).IsSequence() {
			steps = append(steps, ast.InternedTerm(index))
			continue
		}
		steps = append(steps, ast.StringTerm(step))
	}
	return ast.NewArray(steps...)
}

// Array returns a list as an array.
func Array[T any](list []T, value func(T) ast.Value) *ast.Array {
	terms := make([]*ast.Term, 0, len(list))
	for _, item := range list {
		terms = append(terms, ast.NewTerm(value(item)))
	}
	return ast.NewArray(terms...)
}

// String returns a string in the form of policies.
func String(s string) ast.Value { return ast.String(s) }

// Plain converts the numbers in a value to int64 or float64.
func Plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		if i, err := value.Int64(); err == nil {
			return i
		}
		f, _ := value.Float64()
		return f
	case []any:
		for i := range value {
			value[i] = Plain(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = Plain(value[key])
		}
	}
	return value
}

// Field returns a field for ast.NewObject.
func Field(name string, value ast.Value) [2]*ast.Term {
	return ast.Item(ast.InternedTerm(name), ast.NewTerm(value))
}

// At returns an object with a place, and further fields.
func At(p objects.Position, fields ...[2]*ast.Term) ast.Value {
	return ast.NewObject(append(fields, Field("file", ast.String(p.File)), Field("line", Number(p.Line)))...)
}

// Number returns a number in the form of policies.
func Number(n int) ast.Value { return ast.InternedTerm(n).Value }

// StringField returns a field of an object that is a string, otherwise "".
func StringField(object ast.Object, key string) string {
	value := object.Get(ast.InternedTerm(key))
	if value == nil {
		return ""
	}
	text, _ := value.Value.(ast.String)
	return string(text)
}

// Refs returns the refs of objects.
func Refs(objs []*objects.Object) ast.Value {
	return Array(objs, func(o *objects.Object) ast.Value { return ast.String(o.Ref()) })
}

// ReadRule reads a rule in the form of manifests. ok is false for a value that the API server would not accept as a
// rule.
func (c *Cache) ReadRule(term *ast.Term) (rbacv1.PolicyRule, bool) {
	object, ok := term.Value.(ast.Object)
	if !ok {
		return rbacv1.PolicyRule{}, false
	}
	if rule, known := c.ruleOf(object); known {
		return rule, true
	}
	var r rbacv1.PolicyRule
	for key, into := range map[string]*[]string{
		"apiGroups": &r.APIGroups, "resources": &r.Resources, "resourceNames": &r.ResourceNames,
		"nonResourceURLs": &r.NonResourceURLs, "verbs": &r.Verbs,
	} {
		if *into, ok = textsField(object, key); !ok {
			return rbacv1.PolicyRule{}, false
		}
	}
	return r, true
}

// textsField returns a field that is a list of strings, or nothing.
func textsField(object ast.Object, key string) ([]string, bool) {
	value := object.Get(ast.InternedTerm(key))
	if value == nil || value.Value.Compare(ast.NullValue) == 0 {
		return nil, true
	}
	array, ok := value.Value.(*ast.Array)
	if !ok {
		return nil, false
	}
	if array.Len() == 0 {
		return nil, true
	}
	list := make([]string, 0, array.Len())
	for i := range array.Len() {
		text, ok := array.Elem(i).Value.(ast.String)
		if !ok {
			return nil, false
		}
		list = append(list, string(text))
	}
	return list, true
}

// ReadRules reads a list of rules. An item that is not a rule is left out, and ok is false.
func (c *Cache) ReadRules(term *ast.Term) (rules []rbacv1.PolicyRule, ok bool) {
	array, ok := term.Value.(*ast.Array)
	if !ok {
		return nil, false
	}
	rules = make([]rbacv1.PolicyRule, 0, array.Len())
	for i := range array.Len() {
		rule, isRule := c.ReadRule(array.Elem(i))
		if !isRule {
			ok = false
			continue
		}
		rules = append(rules, rule)
	}
	return rules, ok
}

// Strings returns the members of an array or set of strings; ok is false for any other value.
func Strings(list *ast.Term) (terms []*ast.Term, ok bool) {
	container, ok := list.Value.(interface{ Foreach(func(*ast.Term)) })
	if !ok {
		return nil, false
	}
	container.Foreach(func(term *ast.Term) {
		_, isText := term.Value.(ast.String)
		ok = ok && isText
		terms = append(terms, term)
	})
	return terms, ok
}

// ReadStrings reads an object argument whose values are strings. An unknown key is a mistake of the author and an error; a
// value that is not a string comes from a manifest, and makes the call undefined (ok is false).
func ReadStrings(arg *ast.Term, known ...string) (texts map[string]string, ok bool, err error) {
	object, isObject := arg.Value.(ast.Object)
	if !isObject {
		return nil, false, nil
	}
	texts, ok = make(map[string]string, object.Len()), true
	object.Foreach(func(key, value *ast.Term) {
		name, _ := key.Value.(ast.String)
		text, isText := value.Value.(ast.String)
		if !slices.Contains(known, string(name)) {
			err = fmt.Errorf("unknown key %v; %s", key, nearest.Suggestion(string(name), known))
		}
		texts[string(name)], ok = string(text), ok && isText
	})
	return texts, ok, err
}

// Role returns a reference to a role in the form of policies.
func Role(r rbac.RoleRef) ast.Value {
	return ast.NewObject(
		Field("kind", ast.String(r.Kind)), Field("namespace", ast.String(r.Namespace)), Field("name", ast.String(r.Name)),
	)
}

// Subject returns a subject in the form of policies.
func Subject(s rbac.Subject) ast.Value {
	return ast.NewObject(
		Field("kind", ast.String(s.Kind)), Field("namespace", ast.String(s.Namespace)), Field("name", ast.String(s.Name)),
	)
}

// ReadSubject reads {kind, namespace?, name}. ok is false for a subject that cannot exist. The apiGroup and the index, a number, which
// an item of lib.rbac.subjects has in addition, are ignored.
func ReadSubject(arg *ast.Term) (rbac.Subject, bool, error) {
	if item, ok := arg.Value.(ast.Object); ok && item.Get(ast.InternedTerm("index")) != nil {
		arg = ast.NewTerm(item.Diff(ast.NewObject(Field("index", ast.Null{}))))
	}
	given, ok, err := ReadStrings(arg, "kind", "namespace", "name", "apiGroup")
	s := rbac.Subject{Kind: given["kind"], Namespace: given["namespace"], Name: given["name"]}
	return s, ok && s.Kind != "" && s.Name != "", err
}

// ReadString reads a string. ok is false for any other value.
func ReadString(arg *ast.Term) (text string, ok bool, err error) {
	read, ok := arg.Value.(ast.String)
	return string(read), ok, nil
}
