package fields

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/fixes"
)

// text returns an argument that is a string. Package fixes has checked that it is one.
func text(r engine.Request, argument string) string {
	value, _ := r.Args[argument].(string)
	return value
}

// pathOf returns the argument path.
func pathOf(r engine.Request) manifest.Path {
	list, _ := r.Args["path"].([]any)
	path := make(manifest.Path, 0, len(list))
	for _, step := range list {
		path = append(path, fmt.Sprint(step))
	}
	return path
}

// checkPath refuses fields that package fixes names.
func checkPath(o *objects.Object, path manifest.Path) error {
	if problem := fixes.FieldProblem(o.Kind, o.Group, path); problem != "" {
		return engine.Refuse("%s: change it by hand", problem)
	}
	return nil
}

// check refuses an edit of an object that no unit applies, or of a field that is applied differently from how it is written.
func check(c *engine.Context, r engine.Request, path manifest.Path) error {
	if err := checkPath(r.Object, path); err != nil {
		return err
	}
	if err := c.CheckApplied(r.Object, "change it by hand"); err != nil {
		return err
	}
	if err := checkUnits(c, r); err != nil {
		return err
	}
	if err := c.CheckEditable(r.Object, path); err != nil {
		return err
	}
	field, there := r.Object.Source().Node.Field(path)
	switch {
	case !there:
		return nil
	case field.Value.Alias() != nil:
		return engine.Refuse("%s is an alias, whose anchor may be used elsewhere: change it by hand", r.Object.Position(path))
	}
	if at, text := placeholderIn(field.Value, path); text != "" {
		return engine.Refuse("%s is a placeholder (%s): change it where its value comes from", r.Object.Position(at), text)
	}
	return nil
}

// set returns a plan that gives a field a value.
func set(c *engine.Context, r engine.Request, path manifest.Path, value any) (*engine.Plan, error) {
	if err := check(c, r, path); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object}
	change, err := settingOf(r.Object.Source().Node, path, value)
	if err != nil {
		return nil, err
	}
	if change.Op == engine.SetValue {
		if err := checkComments(r.Object, path, value); err != nil {
			return nil, err
		}
	}
	addChange(p, r.Object, change)
	for _, form := range c.Repo.AppliedForms(r.Object) {
		if !engine.MayBeBuilt(form.Unit) {
			continue
		}
		built, err := settingOf(form.Object.Node, path, value)
		if err != nil {
			return nil, err
		}
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: form.Unit, Object: form.Object, Op: built.Op, Path: built.Path, Value: built.Value})
	}
	return p, nil
}

// settingOf returns the change that gives a field of an object a value, with a path inside of the object. What is missing above the
// field is added, too.
func settingOf(object *manifest.Node, path manifest.Path, value any) (engine.Change, error) {
	change := engine.Change{Op: engine.AddField, Path: path, Value: value, Order: commit.OrderOther}
	if field, there := object.Field(path); there {
		if reflect.DeepEqual(fixes.Plain(field.Value.Decode()), value) {
			return change, engine.Refuse("%s is so already", path)
		}
		text, isText := value.(string)
		// A literal block ends with a line break, and another value is no such block.
		if isText && field.Value.IsString() && strings.HasSuffix(text, "\n") == strings.HasSuffix(field.Value.String(), "\n") {
			change.Op = engine.SetText
			return change, nil
		}
		change.Op = engine.SetValue
		return change, nil
	}
	for n := len(path) - 1; ; n-- {
		parent := object.Lookup(path[:n])
		switch {
		case parent.IsMapping():
			change.Path = path[:n+1].Join()
			return change, nil
		case parent != nil && !parent.IsNull():
			return change, engine.Refuse("%s is not a mapping, so %s cannot be set: change it by hand", path[:n], path)
		case n == 0 || isIndex(path[n]):
			return change, engine.Refuse("there is no %s: change it by hand", path[:n+1])
		case parent.IsNull() && parent != nil:
			change.Op, change.Path = engine.SetValue, path[:n].Join()
			change.Value = map[string]any{path[n]: change.Value}
			return change, nil
		}
		change.Value = map[string]any{path[n]: change.Value}
	}
}

func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// remove returns a plan that removes a field, and a mapping of labels or annotations that becomes empty.
func remove(c *engine.Context, r engine.Request, path manifest.Path) (*engine.Plan, error) {
	if err := check(c, r, path); err != nil {
		return nil, err
	}
	source := r.Object.Source().Node
	if _, there := source.Field(path); !there {
		return nil, engine.Refuse("there is no %s in %s", path, r.Object.Position(nil))
	}
	p := &engine.Plan{Object: r.Object}
	addChange(p, r.Object, engine.Change{Op: engine.RemoveValue, Path: removedOf(source, path), Order: commit.OrderOther})
	for _, form := range c.Repo.AppliedForms(r.Object) {
		if engine.MayBeBuilt(form.Unit) {
			p.Applied = append(p.Applied, engine.AppliedChange{
				Unit: form.Unit, Object: form.Object, Op: engine.RemoveValue, Path: removedOf(form.Object.Node, path),
			})
		}
	}
	return p, nil
}

// removedOf returns what is removed with a field: for the last label or annotation, their mapping.
func removedOf(object *manifest.Node, path manifest.Path) manifest.Path {
	parent := path[:len(path)-1]
	if len(path) == 3 && path[0] == "metadata" && len(object.Lookup(parent).Fields()) == 1 {
		return parent.Join()
	}
	return path
}

// addChange adds a change whose path is inside of an object.
func addChange(p *engine.Plan, o *objects.Object, change engine.Change) {
	change.Path = o.At(change.Path)
	p.AddChange(o, change)
}
