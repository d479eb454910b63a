package fixing

import (
	"encoding/json"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// addition is an object that a fix adds to what a unit applies.
type addition struct {
	unit   *objects.Unit
	wanted gitops.NewObject
}

// additions returns the accounts, roles and bindings that a plan adds to those units that are asked for: for built units the objects
// that it declares, for others those of the documents that it writes.
func additions(units []*objects.Unit, p *engine.Plan, asked func(*objects.Unit) bool) []addition {
	var all []addition
	for _, added := range p.Added {
		if asked(added.Unit) {
			all = append(all, addition{added.Unit, wantedOf(added.JSON)})
		}
	}
	written := sync.OnceValue(func() []map[string]any { return writtenBy(p) }) // they are parsed
	for _, unit := range units {
		if unit.Built || unit.Object(p.Object.Ref()) != p.Object || !asked(unit) {
			continue
		}
		for _, object := range written() {
			all = append(all, addition{unit, wantedOf(object)})
		}
	}
	for i := range all {
		all[i].findRules(all)
	}
	return all
}

// findRules sets the rules of the role of a binding, if the role is added with it.
func (a *addition) findRules(all []addition) {
	if a.wanted.Role == nil {
		return
	}
	for _, other := range all {
		if w := other.wanted; other.unit == a.unit && w.Kind == a.wanted.Role.Kind && w.Name == a.wanted.Role.Name && w.Namespace == a.wanted.Role.Namespace {
			a.wanted.Rules = w.Rules
		}
	}
}

// writtenBy returns the objects that a plan writes in the form in which they are applied. Objects in templates are not known before
// these are rendered.
func writtenBy(p *engine.Plan) []map[string]any {
	var objs []map[string]any
	for _, d := range p.Documents {
		if d.Template {
			continue
		}
		for _, doc := range manifest.Scan(d.File, []byte(d.Text)).Docs {
			if doc.Parse() != nil {
				continue
			}
			for _, o := range objects.Objects(doc) {
				objs = append(objs, o.JSON())
			}
		}
	}
	for _, c := range p.Changes {
		if object, ok := c.Value.(map[string]any); ok && c.Op == engine.AppendItem && object["kind"] != nil {
			objs = append(objs, object)
		}
	}
	return objs
}

func wantedOf(object map[string]any) gitops.NewObject {
	text := func(fields map[string]any, key string) string {
		value, _ := fields[key].(string)
		return value
	}
	metadata, _ := object["metadata"].(map[string]any)
	group, _ := objects.SplitAPIVersion(text(object, "apiVersion"))
	wanted := gitops.NewObject{
		Group: group, Kind: text(object, "kind"), Namespace: text(metadata, "namespace"), Name: text(metadata, "name"),
	}
	if _, ok := object["rules"]; ok {
		wanted.Rules = rulesOf(object)
	}
	if ref, ok := object["roleRef"].(map[string]any); ok {
		wanted.Role = &rbac.RoleRef{Kind: text(ref, "kind"), Name: text(ref, "name")}
		if wanted.Role.Kind == "Role" {
			wanted.Role.Namespace = wanted.Namespace
		}
	}
	return wanted
}

// rulesOf returns the rules of a role that a fix writes.
func rulesOf(role map[string]any) []rbacv1.PolicyRule {
	text, err := json.Marshal(role)
	var read rbacv1.ClusterRole
	if err != nil || json.Unmarshal(text, &read) != nil {
		return nil
	}
	return read.Rules
}
