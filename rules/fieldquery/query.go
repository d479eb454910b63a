package fieldquery

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/values"
)

// indexedFields are the keys of a query in addition to kind, group, name, and namespace. Each has the function that returns the values of
// an object. Rules ask with them about each account, binding, or role; a search through all objects of a kind for each would take
// time quadratic in their number.
var indexedFields = map[string]func(*objects.Object) []string{
	"account":       ofExtension(accountsOf),
	"account_state": ofExtension(func(e olm.Extension) []string { return []string{string(e.Account.State)} }),
	"installed_in":  ofExtension(func(e olm.Extension) []string { return []string{e.Namespace} }),
	"role":          roleNameOf,
	"subject":       subjectNamesOf,
	"file":          func(o *objects.Object) []string { return []string{o.File} },
	"name_known":    nameKnown,
	"in_rules":      namesInRules,
}

func ofExtension(field func(olm.Extension) []string) func(*objects.Object) []string {
	return func(o *objects.Object) []string {
		if e, ok := o.Extension(); ok {
			return field(e)
		}
		return nil
	}
}

// accountsOf returns the names of the accounts that an extension sets, in any layout, each once.
func accountsOf(e olm.Extension) []string {
	names := []string{e.Account.Name}
	for _, other := range e.Others {
		if !slices.Contains(names, other.Name) {
			names = append(names, other.Name)
		}
	}
	return names
}

// roleNameOf returns the name of the role that a binding grants.
func roleNameOf(o *objects.Object) []string {
	return []string{o.Node.Lookup(manifest.Path{"roleRef", "name"}).String()}
}

// subjectNamesOf returns the names of the subjects of a binding, each once.
func subjectNamesOf(o *objects.Object) []string {
	var names []string
	for _, subject := range o.Node.Lookup(manifest.Path{"subjects"}).Items() {
		if name := subject.Get("name").String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nameKnown returns "true" for an object whose name is in its file, and "false" for one whose name a template makes.
func nameKnown(o *objects.Object) []string {
	if e, ok := o.Extension(); ok {
		return []string{strconv.FormatBool(e.Name != "" && !e.NameTemplated)}
	}
	return []string{strconv.FormatBool(!IsTemplated(o.Name))}
}

// namesInRules returns the API groups and the resources that the rules of a role name, each once.
func namesInRules(o *objects.Object) []string {
	var names []string
	for _, rule := range o.Node.Lookup(manifest.Path{"rules"}).Items() {
		for _, list := range []string{"apiGroups", "resources"} {
			for _, item := range rule.Lookup(manifest.Path{list}).Items() {
				if name := item.String(); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// fieldIndex finds the objects of one kind by the values of a field.
type fieldIndex map[string][]*objects.Object

type fieldIndexKey struct{ field, kind string }

// objectsBy returns the index of a field, which is created once for each unit and kind.
func objectsBy(unit *objects.Unit, field, kind string) fieldIndex {
	return unit.Cached(fieldIndexKey{field, kind}, func() any {
		index := fieldIndex{}
		for _, o := range unit.Find(objects.Query{Kind: kind}) {
			for _, value := range indexedFields[field](o) {
				index[value] = append(index[value], o)
			}
		}
		return index
	}).(fieldIndex)
}

// Query is a query of a policy that can also select objects by indexed fields.
type Query struct {
	objects.Query
	Fields map[string]string
}

// In lists the objects of a unit that the query selects, in its order.
func (q Query) In(unit *objects.Unit) []*objects.Object {
	for field, value := range q.Fields {
		return slices.DeleteFunc(slices.Clone(objectsBy(unit, field, q.Kind)[value]), func(o *objects.Object) bool { return !q.selects(o) })
	}
	return unit.Find(q.Query)
}

func (q Query) selects(o *objects.Object) bool {
	for field, value := range q.Fields {
		if !slices.Contains(indexedFields[field](o), value) {
			return false
		}
	}
	return q.Matches(o)
}

// InAll lists the objects of all units that the query selects; an object that several units share is listed once.
func (q Query) InAll(units []*objects.Unit) []*objects.Object {
	var all []*objects.Object
	for _, unit := range objects.Answering(units) {
		all = append(all, q.In(unit)...)
	}
	return objects.SortedOnce(all)
}

// Read reads {kind, group?, name?, namespace?} with any of the indexed fields. ok is false for a query that cannot match.
func Read(arg *ast.Term) (query Query, ok bool, err error) {
	given, ok, err := values.ReadStrings(arg, Keys...)
	if !ok || err != nil {
		return query, false, err
	}
	query.Fields = map[string]string{}
	for field := range indexedFields {
		if value, asked := given[field]; asked {
			query.Fields[field] = value
		}
	}
	query.Query, ok = queryOf(given)
	return query, ok, nil
}

// Keys are the keys of a query.
var Keys = slices.Concat(queryKeys, slices.Sorted(maps.Keys(indexedFields)))

// ReadPlain reads {kind, group?, name?, namespace?}. ok is false for a query that cannot match.
func ReadPlain(arg *ast.Term) (query objects.Query, ok bool, err error) {
	given, ok, err := values.ReadStrings(arg, queryKeys...)
	if !ok || err != nil {
		return query, false, err
	}
	query, ok = queryOf(given)
	return query, ok, nil
}

var queryKeys = []string{"kind", "group", "name", "namespace"}

// queryOf returns the query of the given keys. ok is false for one that cannot match.
func queryOf(given map[string]string) (query objects.Query, ok bool) {
	query = objects.Query{Kind: given["kind"], Name: given["name"], Namespace: given["namespace"]}
	if group, named := given["group"]; named {
		query.Group = &group
	}
	// In an objects.Query an empty field matches everything; in Rego it is a value that happens to be empty.
	_, named := given["name"]
	return query, query.Kind != "" && (query.Name != "" || !named)
}

// IsTemplated is templated of rego/lib/text.rego.
func IsTemplated(text string) bool {
	for _, mark := range []string{"${", "$(", "{{", "<<"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
