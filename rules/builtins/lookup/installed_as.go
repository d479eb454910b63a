package lookup

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/values"
)

// installedAs returns the extensions nearest to input.resource that can be installed as one of the subjects.
func installedAs(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	subjects, ok := args[0].Value.(*ast.Array)
	if !ok || s.Object == nil {
		return nil, nil
	}
	var candidates []*objects.Object
	subjects.Foreach(func(subject *ast.Term) {
		if fields, ok := subject.Value.(ast.Object); ok {
			for _, home := range evalcontext.HomesOf(s.Context, s.Object) {
				candidates = append(candidates, extensionsAs(home, values.StringField(fields, "kind"), values.StringField(fields, "name"))...)
			}
		}
	})
	return s.Found(nearestOfEachName(s, objects.SortedOnce(candidates))), nil
}

// extensionsAs returns the extensions that can be installed as a subject of a binding: as the account, as the user of this name,
// or as an account in the group.
func extensionsAs(unit *objects.Unit, kind, name string) []*objects.Object {
	group := olm.APIGroup
	query := fieldquery.Query{Query: objects.Query{Kind: olm.ClusterExtensionKind, Group: &group}}
	switch kind {
	case "ServiceAccount":
		query.Fields = map[string]string{"account": name}
		return query.In(unit)
	case "User":
		extension, ok := strings.CutPrefix(name, olm.User(""))
		if !ok || extension == "" {
			return nil
		}
		query.Name = extension
		return query.In(unit)
	case "Group":
		if namespace, ok := strings.CutPrefix(name, "system:serviceaccounts:"); ok {
			query.Fields = map[string]string{"installed_in": namespace}
			return query.In(unit)
		}
		if name == "system:serviceaccounts" || name == "system:authenticated" {
			return query.In(unit)
		}
	}
	return nil
}

// nearestOfEachName returns those of the extensions that objects.Unit.Near returns for all extensions of the unit.
func nearestOfEachName(s *evalcontext.Evaluation, extensions []*objects.Object) []*objects.Object {
	if s.Unit.Kind != objects.PlainUnit {
		return extensions
	}
	near := map[string][]*objects.Object{}
	return slices.DeleteFunc(extensions, func(o *objects.Object) bool {
		if _, known := near[o.Name]; !known {
			near[o.Name], _ = s.Unit.Near(s.Object, s.Unit.Find(objects.Query{Kind: o.Kind, Group: &o.Group, Name: o.Name}))
		}
		return !slices.Contains(near[o.Name], o)
	})
}
