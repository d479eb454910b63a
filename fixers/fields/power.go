package fields

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// checkUnits refuses an edit of an object that other deployment units apply, too, unless a rule requests it in each of them.
func checkUnits(c *engine.Context, r engine.Request) error {
	forms := c.Repo.AppliedForms(r.Object)
	if len(forms) < 2 {
		return nil
	}
	for _, form := range forms {
		if !slices.Contains(r.Units, form.Unit) {
			return engine.Refuse("%s applies %s, too, and no rule requests this change there: change it by hand where it should differ", form.Unit, engine.NameOf(r.Object))
		}
	}
	return nil
}

// checkComments refuses to replace a value with comments, which would be lost. A scalar that replaces a scalar keeps them.
func checkComments(o *objects.Object, path manifest.Path, value any) error {
	source := o.Source()
	field, there := source.Node.Field(path)
	if !there || field.Value.IsScalar() && isScalar(value) {
		return nil
	}
	if hasComments(source.Doc.ParsedNode(field.Key)) || hasComments(source.Doc.ParsedNode(field.Value)) {
		return engine.Refuse("%s has comments, which would be lost: change it by hand", o.Position(path))
	}
	return nil
}

func hasComments(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	return n.HeadComment+n.LineComment+n.FootComment != "" || slices.ContainsFunc(n.Content, hasComments)
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}
