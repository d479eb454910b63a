package helm

import (
	"fmt"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/pods"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

const (
	renameByHand = "rename the field in the template by hand, and compare the output of helm template before and after"
	dropByHand   = "remove the field from the template by hand, and compare the output of helm template before and after"
)

// aliasByHand returns what to do in the template instead of the fix.
func aliasByHand(drop bool) string {
	if drop {
		return dropByHand
	}
	return renameByHand
}

// aliasField is the deprecated account field of a pod in the text of a template.
type aliasField struct {
	object *objects.Object
	pod    objects.PodSpec
}

// form is the object with the text of the template.
func (a aliasField) form() *objects.Object { return charts.Form(a.object) }

func (a aliasField) path(field string) manifest.Path { return a.form().At(a.pod.Path).Join(field) }
func (a aliasField) text(field string) string        { return a.pod.Node.Get(field).String() }

// addAliases records where the deprecated accounts of an object's pods are in the text of its template, except those that a
// postRenderer changes.
func (r *rendering) addAliases(template string, o *objects.Object, more []objects.PodSpecKind) {
	form := charts.Form(o)
	for _, pod := range objects.PodSpecs(o, more...) {
		field, there := form.Text().Root.Field(form.At(pod.Path).Join(pods.AccountAlias))
		changed := len(engine.WritersOf(o, pod.Path.Join(pods.AccountAlias)))+len(engine.WritersOf(o, pod.Path.Join(pods.PodAccountField))) > 0
		if there && !changed {
			r.aliases[block.Written{Template: template, Start: field.Key.Span().Start}] = aliasField{o, pod}
		}
	}
}

// aliasKey is the place in a template that writes the key of such a field, and all pods that it is rendered into.
type aliasKey struct {
	block.Origin
	pods       []aliasPod
	renderings []*rendering
}

// aliasPod is one of these pods, as a unit renders it.
type aliasPod struct {
	aliasField
	unit      *objects.Unit
	rendering *rendering
	template  render.Template
	origin    block.Origin
}

// RenameAccountAlias renames the deprecated key where a template writes it, or removes its lines if serviceAccountName has
// the same value.
func RenameAccountAlias(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return replaceAliasInTemplate(c, r, false)
}

// DropAccountAlias does the same, and also removes the lines if serviceAccountName has another value.
func DropAccountAlias(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return replaceAliasInTemplate(c, r, true)
}

// replaceAliasInTemplate makes one plan for all pods that a key in a template is rendered into.
func replaceAliasInTemplate(c *engine.Context, r engine.Request, drop bool) (*engine.Plan, error) {
	byHand := aliasByHand(drop)
	unit := c.Repo.UnitThatHas(r.Object)
	if unit == nil || r.Object.Node.Lookup(r.Path).IsMapping() {
		return nil, engine.RefuseTemplate(r.Object, r.Path, byHand)
	}
	of, t, err := renderingOf(c, unit, r.Object)
	if err != nil {
		return nil, err
	}
	form := charts.Form(r.Object)
	if len(engine.WritersOf(r.Object, r.Path)) > 0 || form.Node.Lookup(r.Path) == nil {
		return nil, engine.Refuse("%s of %s is set at %s, and not by the chart: change it there by hand", r.Path, engine.NameOf(r.Object), r.Object.Position(r.Path))
	}
	origin, err := of.reader.Key(t, form.Text(), form.At(r.Path))
	if err != nil {
		return nil, refuseUncertain(err, byHand)
	}
	if err := of.checkEditableSource(r.Object, origin, byHand); err != nil {
		return nil, err
	}
	id := fmt.Sprintf("%t\x00%s\x00%d", drop, origin.Source.File, origin.Span.Start)
	if known, ok := stateOf(c).aliases[id]; ok {
		return known.plan, known.err
	}
	var done cachedPlan
	done.plan, done.err = aliasPlan(c, r, origin, drop)
	stateOf(c).aliases[id] = done
	return done.plan, done.err
}

func aliasPlan(c *engine.Context, r engine.Request, origin block.Origin, drop bool) (*engine.Plan, error) {
	key, byHand := &aliasKey{Origin: origin}, aliasByHand(drop)
	for _, unit := range c.Repo.Units {
		if unit.Reads(origin.Source.File) {
			if err := key.addPods(c, unit, byHand); err != nil {
				return nil, err
			}
		}
	}
	if err := key.checkOtherValues(byHand); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object}
	noteUnrenderedBranches(p, []block.Origin{key.Origin}, key.renderings)
	isNamed, err := key.isNamed(drop)
	if err != nil {
		return nil, err
	}
	if isNamed {
		return p, dropInTemplate(c, p, key, drop)
	}
	return p, renameInTemplate(c, p, key)
}

// addPods adds the pods of a unit that the key is rendered into.
func (k *aliasKey) addPods(c *engine.Context, u *objects.Unit, byHand string) error {
	if u.NotBuilt {
		return refuseUnrendered(u, k.Source.File, byHand)
	}
	renderings, err := renderings(c, u)
	if err != nil {
		return err
	}
	for _, r := range renderings {
		k.renderings = append(k.renderings, r)
		written, ok := r.reader.Keyed(k.Origin)
		if !ok {
			return k.refuse("the template changes the text before it is rendered in %s: %s", u, byHand)
		}
		for _, w := range written {
			field, ok := r.aliases[w]
			if !ok {
				return k.refuse("the key is also rendered into something that is not an account of a pod, in %s of %s: %s", w.Template, u, byHand)
			}
			_, t, err := renderingOf(c, u, field.object)
			if err != nil {
				return err
			}
			origin, err := r.reader.Key(t, field.form().Text(), field.path(pods.AccountAlias))
			if err != nil {
				return refuseUncertain(err, byHand)
			}
			k.pods = append(k.pods, aliasPod{field, u, r, t, origin})
		}
	}
	return nil
}

func (k *aliasKey) refuse(format string, args ...any) error {
	line, column := k.Scope.File.Position(k.Span.Start)
	return engine.Refuse("%s:%d:%d: "+format, append([]any{k.Source.File, line, column}, args...)...)
}

// isNamed reports whether serviceAccountName is set too. It must be set in all pods or in none.
func (k *aliasKey) isNamed(drop bool) (bool, error) {
	named := 0
	for _, pod := range k.pods {
		name, alias := pod.text(pods.PodAccountField), pod.text(pods.AccountAlias)
		switch {
		case name != "":
			named++
			if name != alias && alias != "" && !drop {
				return false, k.refuse("in %s, serviceAccount is %q but serviceAccountName is %q: decide in the template "+
					"which one is right",
					pod.unit, alias, name)
			}
		case pod.pod.Node.Get(pods.PodAccountField) != nil:
			return false, k.refuse("serviceAccountName exists but is empty in %s: %s", pod.unit, renameByHand)
		}
	}
	if named > 0 && named < len(k.pods) {
		return false, k.refuse("only some of the rendered pods also have serviceAccountName: %s", renameByHand)
	}
	return named > 0, nil
}

// renameInTemplate replaces the key.
func renameInTemplate(c *engine.Context, p *engine.Plan, k *aliasKey) error {
	if err := k.checkNotBoth(); err != nil {
		return err
	}
	text := k.Source.Text[k.Span.Start:k.Span.End]
	change, err := rewrite(c, k.Origin, strings.Replace(text, pods.AccountAlias, pods.PodAccountField, 1), renameByHand)
	if err != nil {
		return err
	}
	p.Description = "Rename serviceAccount to serviceAccountName"
	p.Texts = append(p.Texts, change)
	for _, pod := range k.pods {
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: pod.unit, Object: pod.object, Op: engine.RenameField,
			Path: pod.pod.Path.Join(pods.AccountAlias), Value: pods.PodAccountField})
	}
	return editOriginalChart(c, p, change)
}

// dropInTemplate removes the lines of the field.
func dropInTemplate(c *engine.Context, p *engine.Plan, k *aliasKey, drop bool) error {
	var lines block.Origin
	for i, pod := range k.pods {
		if err := pod.checkImplied(drop); err != nil {
			return err
		}
		origin, err := pod.rendering.reader.Field(pod.template, pod.form().Text(), pod.path(pods.AccountAlias))
		if err != nil {
			return refuseUncertain(err, dropByHand)
		}
		if i > 0 && !sameLines(lines, origin) {
			return k.refuse("%s renders the key from other lines: %s", pod.unit, dropByHand)
		}
		lines = origin
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: pod.unit, Object: pod.object, Op: engine.RemoveValue, Path: pod.pod.Path.Join(pods.AccountAlias)})
	}
	change, err := rewrite(c, lines, "", dropByHand)
	if err != nil {
		return err
	}
	p.Description = "Remove serviceAccount, which has the same value as serviceAccountName"
	if drop {
		p.Description = "Remove serviceAccount: the pod runs as serviceAccountName"
	}
	p.Texts = append(p.Texts, change)
	return editOriginalChart(c, p, change)
}
