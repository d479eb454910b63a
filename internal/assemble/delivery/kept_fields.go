package delivery

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// unknownDeliverers are what can apply a unit that no known application applies, as far as annotations of its objects are instructions.
var unknownDeliverers = []*gitops.Application{{Tool: gitops.ArgoCD}, {Tool: gitops.FluxKustomize}}

// KeepsField returns why a field stays in an object on the cluster when the manifest of the object loses it: the beginning of a sentence. is
// is false if nothing in the repository says that it stays.
func (d *Delivery) KeepsField(u *objects.Unit, o *objects.Object, field manifest.Path) (why string, is bool) {
	by := d.appliers(u)
	if len(by) == 0 {
		by = unknownDeliverers
	}
	for _, a := range by {
		if why, is := applying.KeepsField(d.resultOrNone(), a, o, field, annotations(o), texts(o, "labels")); is {
			return fmt.Sprintf("%s %s is not changed on the cluster: %s", o.Kind, o.Name, why), true
		}
	}
	if at, is := d.rebased(o, field); is {
		return fmt.Sprintf("%s %s keeps the field on the cluster: kapp copies it from the existing object (%s)", o.Kind, o.Name, at), true
	}
	return "", false
}

// resultOrNone returns the objects of Argo CD and Flux, which a nil Delivery does not have.
func (d *Delivery) resultOrNone() *gitops.Result {
	if d == nil {
		return new(gitops.Result)
	}
	return d.result()
}

// rebased returns the rule of a Config of kapp that copies a field of the existing object. Configs are read wherever they are in the
// repository: which of them a command passes to kapp together with the object is not known.
func (d *Delivery) rebased(o *objects.Object, field manifest.Path) (at string, is bool) {
	if d == nil {
		return "", false
	}
	for _, rule := range d.rebaseRules() {
		if copiesExisting(rule.fields, o, field) {
			return rule.at, true
		}
	}
	return "", false
}

// rebaseRule is one of the rules by which kapp changes an object before it applies it.
type rebaseRule struct {
	fields any
	at     string
}

// findRebaseRules returns the rules of all Configs of kapp.
func (d *Delivery) findRebaseRules() (all []rebaseRule) {
	group := "kapp.k14s.io"
	for _, unit := range d.units() {
		for _, config := range unit.Find(objects.Query{Group: &group, Kind: "Config"}) {
			rules, _ := config.Node.Lookup(manifest.Path{"rebaseRules"}).Decode().([]any)
			for i, rule := range rules {
				all = append(all, rebaseRule{rule, config.Position(manifest.Path{"rebaseRules", fmt.Sprint(i)}).String()})
			}
		}
	}
	return all
}

// copiesExisting reports whether a rebase rule of kapp takes a field from the existing object. Only matchers by kind are read; others can
// match.
func copiesExisting(rule any, o *objects.Object, field manifest.Path) bool {
	fields, _ := rule.(map[string]any)
	if fields["type"] != "copy" {
		return false
	}
	sources, _ := fields["sources"].([]any)
	if len(sources) == 0 || sources[0] != "existing" {
		return false
	}
	matchers, _ := fields["resourceMatchers"].([]any)
	matches := len(matchers) == 0
	for _, matcher := range matchers {
		by, _ := matcher.(map[string]any)
		kind, _ := by["apiVersionKindMatcher"].(map[string]any)
		matches = matches || kind == nil || kind["kind"] == o.Kind
	}
	paths, _ := fields["paths"].([]any)
	if one, ok := fields["path"].([]any); ok {
		paths = append(paths, one)
	}
	for _, path := range paths {
		if matches && isWithin(path, field) {
			return true
		}
	}
	return false
}

// isWithin reports whether a path of kapp is the field, contains it, or is a part of it.
func isWithin(path any, field manifest.Path) bool {
	keys, ok := path.([]any)
	for i := range min(len(keys), len(field)) {
		ok = ok && fmt.Sprint(keys[i]) == field[i]
	}
	return ok
}

// KeepsRemoved returns why an object of a unit stays on a cluster when its manifest is removed: a sentence without a full stop. is is false
// if it is deleted, or if what applies the unit is not known.
func (d *Delivery) KeepsRemoved(u *objects.Unit, o *objects.Object) (why string, is bool) {
	for _, a := range d.appliers(u) {
		if why, is := applying.KeepsRemoved(a, annotations(o), texts(o, "labels")); is {
			return why, true
		}
	}
	return "", false
}

// DeleteCommand returns the command that deletes an object from the cluster.
func DeleteCommand(o *objects.Object) string {
	command := []string{"kubectl", "delete", strings.ToLower(o.Kind), o.Name}
	if o.Namespace != "" {
		command = append(command, "--namespace", o.Namespace)
	}
	return shell.Join(command)
}
