package identity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// ConvertLayout gives an extension with the layout of an older release the fields of v1. The fix is unsafe: a live extension
// of v1alpha1 is not converted with it, and no release serves both versions.
func ConvertLayout(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	o := r.Object
	if o.Kind != olm.ClusterExtensionKind {
		return nil, engine.Refuse("the kind %s is namespaced and has no equivalent in v1, where an extension belongs to the whole cluster: "+
			"write a ClusterExtension by hand", o.Kind)
	}
	if err := c.Repo.CheckApplied(o, "change it by hand"); err != nil {
		return nil, err
	}
	if err := c.CheckEditable(o, manifest.Path{"apiVersion"}, manifest.Path{"spec"}); err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, o); err != nil {
		return nil, err
	}
	l := &layoutChange{object: o, plan: &engine.Plan{Object: o}}
	if err := l.convert(); err != nil {
		return nil, err
	}
	l.plan.Description = "Convert it to the layout of v1: " + strings.Join(l.said, ", ")
	c.Repo.DeclareBuiltChanges(l.plan)
	return l.plan, nil
}

// layoutChange collects the changes of one extension.
type layoutChange struct {
	object *objects.Object
	plan   *engine.Plan
	said   []string
	// catalog are the fields that move into spec.source.catalog, and comments their comments.
	catalog  map[string]any
	comments map[string][]manifest.FieldComments
}

func (l *layoutChange) convert() error {
	if err := l.checkFields(); err != nil {
		return err
	}
	if version := l.object.Node.Get("apiVersion"); strings.HasSuffix(version.String(), "/v1alpha1") {
		l.change(engine.Change{Op: engine.SetText, Path: l.object.At(manifest.Path{"apiVersion"}), Value: strings.TrimSuffix(version.String(), "alpha1")})
		l.said = append(l.said, "apiVersion")
	}
	for _, step := range []func() error{l.moveCatalog, l.moveNamespace, l.moveInstall} {
		if err := step(); err != nil {
			return err
		}
	}
	if len(l.said) == 0 {
		return engine.Refuse("no field of it has another place in v1: compare it with the API by hand")
	}
	return nil
}

// specFields are the fields of spec in v1, and those of older layouts that have an equivalent there.
var specFields = []string{
	"namespace", "serviceAccount", "source", "install", "config", "progressDeadlineMinutes",
	"packageName", "version", "channel", "upgradeConstraintPolicy", "installNamespace",
}

// checkFields refuses fields that have no equivalent in v1, and extensions without what v1 requires.
func (l *layoutChange) checkFields() error {
	spec := l.at("spec")
	if !spec.IsMapping() {
		return engine.Refuse("its spec is not a mapping: write the fields of v1 by hand")
	}
	if l.at("spec", "preflight") != nil {
		return engine.Refuse("spec.preflight becomes spec.install.preflight, with crdUpgradeSafety.enforcement (None or Strict) instead of the older " +
			"field: move it by hand")
	}
	for _, field := range spec.Fields() {
		if key := field.Key.String(); !slices.Contains(specFields, key) {
			return engine.Refuse("spec.%s has no equivalent in v1, or one of another form: convert it by hand", key)
		}
	}
	for _, field := range fieldsOf(l.at("spec", "install")) {
		if key := field.Key.String(); !slices.Contains([]string{"namespace", "serviceAccount", "preflight"}, key) {
			return engine.Refuse("spec.install.%s has no equivalent in v1: convert it by hand", key)
		}
	}
	if preflight := l.at("spec", "install", "preflight"); preflight != nil && preflight.Lookup(manifest.Path{"crdUpgradeSafety", "enforcement"}) == nil {
		return engine.Refuse("spec.install.preflight has crdUpgradeSafety.enforcement (None or Strict) in v1 instead of an older field: change it by hand")
	}
	for _, field := range fieldsOf(l.at("spec", "source")) {
		if key := field.Key.String(); key != "sourceType" && key != "catalog" {
			return engine.Refuse("spec.source.%s has no equivalent in v1: convert it by hand", key)
		}
	}
	for _, namespace := range [][]string{{"spec", "namespace"}, {"spec", "installNamespace"}, {"spec", "install", "namespace"}} {
		if l.at(namespace...).String() != "" {
			return nil
		}
	}
	return engine.Refuse("it has no namespace, which v1 requires: add spec.namespace by hand")
}

// catalogFields are the fields of spec that v1 has in spec.source.catalog.
var catalogFields = []string{"packageName", "version", "channel", "upgradeConstraintPolicy"}

// constraintPolicies are the values of upgradeConstraintPolicy that v1 names differently. Source: the constants of the type
// in api/v1alpha1 and in api/v1 of operator-controller (clusterextension_types.go).
var constraintPolicies = map[string]string{"Enforce": "CatalogProvided", "Ignore": "SelfCertified"}

func (l *layoutChange) moveCatalog() error {
	l.catalog, l.comments = map[string]any{}, map[string][]manifest.FieldComments{}
	for _, name := range catalogFields {
		field := l.at("spec", name)
		if field == nil {
			continue
		}
		if !field.IsScalar() || field.IsNull() {
			return engine.Refuse("spec.%s is not a string: convert it by hand", name)
		}
		comments, err := l.remove("spec", name)
		if err != nil {
			return err
		}
		to, value := name, any(field.String())
		switch name {
		case "channel":
			to, value = "channels", []any{field.String()}
		case "upgradeConstraintPolicy":
			if renamed, known := constraintPolicies[field.String()]; known {
				value = renamed
			}
		}
		if field.String() == "" { // as if it were not set
			if err := checkNoComments(comments, "spec", name); err != nil {
				return err
			}
			continue
		}
		l.catalog[to], l.comments[to] = value, comments
		l.said = append(l.said, fmt.Sprintf("spec.%s becomes spec.source.catalog.%s", name, to))
	}
	l.renamePolicy()
	return l.addCatalog()
}

// renamePolicy replaces an older value of a policy that is in the catalog already.
func (l *layoutChange) renamePolicy() {
	path := manifest.Path{"spec", "source", "catalog", "upgradeConstraintPolicy"}
	if renamed, known := constraintPolicies[l.at(path...).String()]; known {
		l.change(engine.Change{Op: engine.SetText, Path: l.object.At(path), Value: renamed})
		l.said = append(l.said, fmt.Sprintf("%s becomes %s", path, renamed))
	}
}

// addCatalog writes the fields into spec.source.catalog, which may exist.
func (l *layoutChange) addCatalog() error {
	if len(l.catalog) == 0 {
		return nil
	}
	if l.at("spec", "source") == nil {
		if l.catalog["packageName"] == nil {
			return engine.Refuse("it has no package, which v1 requires: add spec.source by hand")
		}
		var comments []manifest.FieldComments
		for _, name := range slices.Sorted(maps.Keys(l.comments)) {
			comments = append(comments, below(l.comments[name], "catalog", name)...)
		}
		l.add(manifest.Path{"spec", "source"}, map[string]any{"sourceType": "Catalog", "catalog": l.catalog}, comments)
		return nil
	}
	catalog := l.at("spec", "source", "catalog")
	if !catalog.IsMapping() {
		return engine.Refuse("spec.source has no catalog, into which fields of an older layout could move: convert it by hand")
	}
	for _, name := range []string{"packageName", "version", "channels", "upgradeConstraintPolicy"} {
		value, set := l.catalog[name]
		if !set {
			continue
		}
		there := catalog.Get(name)
		switch {
		case there == nil:
			l.add(manifest.Path{"spec", "source", "catalog", name}, value, l.comments[name])
		case !sameValue(there, value):
			return engine.Refuse("spec.source.catalog.%s and the field of an older layout differ, and the right one is unknown: remove one of them", name)
		case len(l.comments[name]) > 0:
			return checkNoComments(l.comments[name], "the field that becomes spec", "source", "catalog", name)
		}
	}
	return nil
}

func sameValue(n *manifest.Node, value any) bool {
	if list, ok := value.([]any); ok {
		return n.IsSequence() && len(n.Items()) == 1 && n.Items()[0].String() == list[0]
	}
	return n.IsScalar() && n.String() == value
}

// moveNamespace renames spec.installNamespace in its place.
func (l *layoutChange) moveNamespace() error {
	old, there := l.at("spec", "installNamespace"), l.at("spec", "namespace")
	switch {
	case old == nil:
		return nil
	case there == nil && l.at("spec", "install", "namespace") == nil:
		l.change(engine.Change{Op: engine.RenameField, Path: l.object.At(manifest.Path{"spec", "installNamespace"}), Value: "namespace"})
	case there != nil && there.String() == old.String():
		comments, err := l.remove("spec", "installNamespace")
		if err == nil {
			err = checkNoComments(comments, "spec", "installNamespace")
		}
		if err != nil {
			return err
		}
	default:
		return engine.Refuse("spec.installNamespace and another namespace of the extension differ, or belong to different layouts: remove one of them")
	}
	l.said = append(l.said, "spec.installNamespace becomes spec.namespace")
	return nil
}

// installFields are the fields of spec.install that v1 has in spec.
var installFields = []string{"namespace", "serviceAccount"}

// moveInstall moves the namespace and the account out of spec.install, which disappears unless it has other fields.
func (l *layoutChange) moveInstall() error {
	install := l.at("spec", "install")
	moving := slices.DeleteFunc(slices.Clone(installFields), func(name string) bool { return install.Get(name) == nil })
	if len(moving) == 0 {
		return nil
	}
	comments, err := l.removeInstall(moving, len(moving) == len(install.Fields()))
	if err != nil {
		return err
	}
	for _, name := range moving {
		l.said = append(l.said, fmt.Sprintf("spec.install.%s becomes spec.%s", name, name))
		field := install.Get(name)
		if there := l.at("spec", name); there != nil {
			if !manifest.Equal(there, field) {
				return engine.Refuse("spec.install.%s and spec.%s differ, and the right one is unknown: remove one of them", name, name)
			}
			if err := checkNoComments(comments[name], "spec", "install", name); err != nil {
				return err
			}
			continue
		}
		value, err := plainValue(field)
		if err != nil {
			return err
		}
		l.add(manifest.Path{"spec", name}, value, comments[name])
	}
	return nil
}

// removeInstall removes fields of spec.install, or all of it, and returns the comments by field. Those of spec.install itself stand
// above the first field.
func (l *layoutChange) removeInstall(moving []string, all bool) (map[string][]manifest.FieldComments, error) {
	comments := map[string][]manifest.FieldComments{}
	var err error
	if !all {
		for _, name := range moving {
			if comments[name], err = l.remove("spec", "install", name); err != nil {
				return nil, err
			}
		}
		return comments, nil
	}
	found, err := l.remove("spec", "install")
	for _, c := range found {
		if len(c.Path) > 0 {
			name := c.Path[0]
			c.Path = c.Path[1:]
			comments[name] = append(comments[name], c)
			continue
		}
		if c.Line != "" {
			c.Head = append(c.Head, c.Line)
		}
		comments[moving[0]] = append(comments[moving[0]], manifest.FieldComments{Head: c.Head})
	}
	return comments, err
}

// plainValue returns a scalar, or a mapping of scalars, as the value of a change.
func plainValue(n *manifest.Node) (any, error) {
	if n.IsScalar() && !n.IsNull() {
		return n.String(), nil
	}
	fields := map[string]any{}
	for _, field := range fieldsOf(n) {
		if !field.Value.IsScalar() || field.Value.IsNull() {
			return nil, engine.Refuse("a field that moves is not a string: convert it by hand")
		}
		fields[field.Key.String()] = field.Value.String()
	}
	if len(fields) == 0 {
		return nil, engine.Refuse("a field that moves has no value: convert it by hand")
	}
	return fields, nil
}

func fieldsOf(n *manifest.Node) []manifest.Field {
	if n == nil {
		return nil
	}
	return n.Fields()
}

func (l *layoutChange) at(path ...string) *manifest.Node { return l.object.Node.Lookup(path) }

// remove removes a field that moves, and returns its comments.
func (l *layoutChange) remove(path ...string) ([]manifest.FieldComments, error) {
	full := l.object.At(path)
	comments, err := l.object.Doc.CommentsOf(full)
	if err != nil {
		return nil, engine.Refuse("%s: move both by hand", err)
	}
	l.change(engine.Change{Op: engine.RemoveValue, Path: full})
	return comments, nil
}

// checkNoComments refuses to remove a field with comments that does not move, because its value stands at the new place already.
func checkNoComments(comments []manifest.FieldComments, path ...string) error {
	if len(comments) == 0 {
		return nil
	}
	return engine.Refuse("%s has a comment, and its value is set elsewhere too: move the comment by hand", strings.Join(path, "."))
}

// below returns comments with a longer path.
func below(comments []manifest.FieldComments, steps ...string) []manifest.FieldComments {
	moved := slices.Clone(comments)
	for i := range moved {
		moved[i].Path = append(slices.Clone(steps), moved[i].Path...)
	}
	return moved
}

func (l *layoutChange) add(path manifest.Path, value any, comments []manifest.FieldComments) {
	l.change(engine.Change{Op: engine.AddField, Path: l.object.At(path), Value: value, Comments: comments})
}

func (l *layoutChange) change(c engine.Change) {
	c.Order = repo.OrderOther
	l.plan.AddChange(l.object, c)
}
