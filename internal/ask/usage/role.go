package usage

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// roleUses returns the places of an object that use a role.
func (f *finder) roleUses(unit *objects.Unit, o *objects.Object, s Subject) []Use {
	if access.IsBinding(o) {
		return f.bindingUses(unit, o, s)
	}
	if o.Group == rbac.Group {
		return append(s.aggregates(o), s.namedInRules(o, strings.ToLower(s.Kind)+"s")...)
	}
	var found []Use
	eachValue(o.Node, nil, func(n *manifest.Node, path manifest.Path) {
		if n.String() != s.Name || isText(o, path) || isOtherName(path) || isBuiltIn(o) {
			return
		}
		u := Use{Path: path.Join(), Effect: May, How: "has its name"}
		switch kind := o.Node.Lookup(path[:len(path)-1]).Get("kind").String(); {
		case kind == s.Kind:
			u.Effect, u.How = Needs, "refers to it"
		case kind != "":
			return
		}
		if s.Kind == role {
			found = append(found, s.inNamespace(o.Namespace, u)...)
			return
		}
		found = append(found, u)
	})
	return found
}

// bindingUses returns the use of a role by a binding, with the pods that run as its subjects.
func (f *finder) bindingUses(unit *objects.Unit, o *objects.Object, s Subject) []Use {
	ref := o.Node.Get("roleRef")
	if ref.Get("kind").String() != s.Kind || ref.Get("name").String() != s.Name {
		return nil
	}
	u := Use{Path: manifest.Path{"roleRef", "name"}, Effect: Needs}
	var subjects []string
	for _, b := range rbac.BindingsBy(unit, o) {
		subjects = append(subjects, access.SubjectName(b.Subject))
		if account, is := b.Subject.Account(); is {
			u.Accounts = append(u.Accounts, account)
			u.Pods = append(u.Pods, f.podsOf(account)...)
		}
	}
	u.How = "grants it to " + strings.Join(subjects, ", ")
	if len(subjects) == 0 {
		u.How = "grants it to no one"
	}
	if s.Kind == role {
		return s.inNamespace(o.Namespace, u)
	}
	return []Use{u}
}

// podsOf returns the objects whose pods run as an account, each once.
func (f *finder) podsOf(a objects.Account) []*objects.Object {
	var pods []*objects.Object
	seen := map[objects.Position]bool{}
	for _, unit := range f.units {
		for _, ref := range unit.References(a) {
			at := ref.Object.Position(nil)
			if (ref.What == objects.PodAccount || ref.What == objects.PodDefault) && !seen[at] {
				seen[at] = true
				pods = append(pods, ref.Object)
			}
		}
	}
	return pods
}

// aggregates returns the use of a ClusterRole by one that takes the rules of the roles with its labels.
func (s Subject) aggregates(o *objects.Object) []Use {
	if s.Kind != clusterRole || o.Kind != clusterRole {
		return nil
	}
	if o.Name == s.Name {
		return aggregatedByDefault(o)
	}
	for _, defined := range s.Defined {
		if rbac.Selects(o, defined) {
			return []Use{{Path: manifest.Path{"aggregationRule"}, Effect: Needs, How: "takes its rules, because its labels match"}}
		}
	}
	return nil
}

// aggregatedByDefault returns the use of a ClusterRole by the roles admin, edit, and view of every cluster.
func aggregatedByDefault(o *objects.Object) []Use {
	var found []Use
	labels := manifest.Path{"metadata", "labels"}
	for _, label := range objects.KeysOf(o.Node.Lookup(labels)) {
		name, is := strings.CutPrefix(label, "rbac.authorization.k8s.io/aggregate-to-")
		if is && o.Node.Lookup(labels).Get(label).String() == "true" && slices.Contains([]string{"admin", "edit", "view", "cluster-reader"}, name) {
			found = append(found, Use{Path: labels.Join(label), Effect: Needs, How: "adds its rules to ClusterRole " + name + " of every cluster"})
		}
	}
	return found
}
