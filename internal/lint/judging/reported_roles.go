package judging

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// InventoryKinds are the kinds of which [Report.PowerRoles] and [Report.OpenBindings] need all objects.
func InventoryKinds() []string {
	return []string{"ClusterRole", "Role", "ClusterRoleBinding", "RoleBinding"}
}

// powerClasses are the classes of dangers that make a role worth listing: a binding of another repository can give them to anyone.
var powerClasses = []danger.Class{danger.ClusterAdmin, danger.Escalation, danger.Secrets, danger.Pods, danger.Admission, danger.Extensions}

// PowerRoles returns the roles in the reported files whose rules give power over the cluster or a namespace, each once.
func (r *Report) PowerRoles() []finding.PowerRole {
	seen := map[finding.PowerRole]bool{}
	var all []finding.PowerRole
	r.eachReported(func(o *objects.Object, place finding.Place) {
		if o.Kind != "ClusterRole" && o.Kind != "Role" || rbac.Templated(o.Name) {
			return
		}
		rules, err := rbac.Rules(o)
		if err != nil {
			return
		}
		namespace := ""
		if o.Kind == "Role" {
			namespace = cmp.Or(o.Namespace, rbac.UnknownNamespace)
		}
		var powers []string
		admin := rbac.IsClusterAdmin(rules) && namespace == ""
		for _, rule := range rules {
			for _, d := range danger.Of(rule, namespace) {
				if slices.Contains(powerClasses, d.Class) && !slices.Contains(powers, d.Text) {
					powers = append(powers, d.Text)
				}
			}
		}
		role := finding.PowerRole{
			Role: finding.RoleRef{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}, File: place.File, Line: place.Line,
			Powers: strings.Join(powers, "\n"), Admin: admin,
		}
		if len(powers) > 0 && !seen[role] {
			seen[role] = true
			all = append(all, role)
		}
	})
	slices.SortFunc(all, func(a, b finding.PowerRole) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Role.String(), b.Role.String()))
	})
	return all
}

// OpenBindings returns the subjects of bindings in the reported files whose role the repository does not define, each once.
func (r *Report) OpenBindings() []finding.OpenBinding {
	seen := map[finding.OpenBinding]bool{}
	var all []finding.OpenBinding
	for _, unit := range objects.NotReplaced(r.snapshot.Units) {
		for _, b := range rbac.Bindings(unit) {
			if !r.isOpen(unit, b) {
				continue
			}
			file, span := b.Object.Locate(nil)
			open := finding.OpenBinding{
				Binding: b.Object.Kind + " " + b.Object.Name, Scope: b.Scope, File: file.Path, Line: finding.RangeIn(file, span).Line,
				Role:    finding.RoleRef{Kind: b.Role.Kind, Namespace: b.Role.Namespace, Name: b.Role.Name},
				Subject: finding.Subject{Kind: b.Subject.Kind, Namespace: b.Subject.Namespace, Name: b.Subject.Name},
			}
			if r.Reported(file.Path) && !seen[open] {
				seen[open] = true
				all = append(all, open)
			}
		}
	}
	slices.SortFunc(all, func(a, b finding.OpenBinding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Subject.String(), b.Subject.String()),
			strings.Compare(a.Role.String(), b.Role.String()))
	})
	return all
}

// isOpen reports whether nothing that can be on the cluster of a binding defines its role.
func (r *Report) isOpen(unit *objects.Unit, b rbac.Binding) bool {
	if b.Role.Builtin() || b.Refused != "" || rbac.Templated(b.Role.Name) {
		return false
	}
	scopes := r.judge.clusters.of(unit, b.Object)
	if len(scopes) == 0 {
		scopes = []*objects.Unit{unit}
	}
	return !slices.ContainsFunc(scopes, func(scope *objects.Unit) bool { return rbac.Defines(scope, b.Role, b.Object) })
}

// eachReported calls a function with each applied object that is in a reported file, and its place.
func (r *Report) eachReported(visit func(*objects.Object, finding.Place)) {
	for _, unit := range objects.NotReplaced(r.snapshot.Units) {
		for _, o := range unit.Objects {
			file, span := o.Locate(nil)
			if r.Reported(file.Path) {
				visit(o, finding.Place{File: file.Path, Line: finding.RangeIn(file, span).Line})
			}
		}
	}
}
