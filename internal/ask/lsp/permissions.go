package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/output/markdown"
)

// permissions returns the effective permissions of what is at a place as Markdown, in each unit that applies it; "" if none does.
func (p place) permissions(w *loader.Repository) string {
	var parts []string
	for _, unit := range w.Units {
		for _, o := range unit.Objects {
			if source := o.Source(); source == nil || refOf(source) != p.ref {
				continue
			}
			text := p.in(w, unit, o)
			if text == "" || slices.Contains(parts, text) {
				continue
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	if n := len(w.NotRead); n > 0 {
		first := w.NotRead[0]
		parts = append(parts, fmt.Sprintf("This can be incomplete: %s:%d: %s.%s", markdown.Text(first.Position.File), first.Position.Line,
			markdown.Text(first.Message), more(n-1)))
	}
	return strings.Join(parts, "\n\n")
}

// refOf returns the reference of an object without the number that distinguishes those which a unit derives from it.
func refOf(o *objects.Object) string {
	ref, _, _ := strings.Cut(o.Ref(), "@")
	return ref
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %d more places were not read.", n)
}

// in returns the permissions in one unit.
func (p place) in(w *loader.Repository, unit *objects.Unit, o *objects.Object) string {
	title := ""
	if unit.Kind != objects.PlainUnit {
		title = " in " + codeText(access.View{Unit: unit}.Name())
	}
	switch p.role {
	case isExtension:
		return extensionText(w, unit, o, title)
	case isAccount:
		who := rbac.Account(objects.Account{Namespace: o.Namespace, Name: o.Name})
		return identityText(unit, o, who.Identity(), title)
	case isRole:
		return roleText(unit, o, title)
	case isRoleRef:
		granted, ok := rbac.GrantedBy(unit, o)
		if !ok {
			return ""
		}
		return "The binding grants" + title + ":\n\n" + rulesText(granted.Rules) + doubtsText(granted.Unknown, granted.Partial)
	}
	for _, b := range rbac.Bindings(unit) {
		if b.Object == o && b.SubjectIndex == p.subject {
			return identityText(unit, nil, b.Subject.Identity(), title)
		}
	}
	return ""
}

// extensionText returns as which identity OLM installs an extension, and what that can do.
func extensionText(w *loader.Repository, unit *objects.Unit, o *objects.Object, title string) string {
	for _, e := range w.ExtensionsIn(unit) {
		if e.Object != o {
			continue
		}
		who, err := installer.Of(e, w.Units)
		switch {
		case err != nil:
			return "It is unknown as which identity OLM installs the extension" + title + ": " + markdown.Text(err.Error())
		case who.Acting == installer.AsOwnAccount:
			return "OLM installs the extension" + title + " with its own account: " + markdown.Text(who.Reason) + "."
		}
		text := identityText(unit, o, who.Identity, title)
		if who.Condition != "" {
			text = "OLM acts as this identity " + markdown.Text(who.Condition) + ".\n\n" + text
		}
		return text
	}
	return ""
}

// identityText returns the effective permissions of an identity: those of its bindings in the repository.
func identityText(unit *objects.Unit, from *objects.Object, who rbac.Identity, title string) string {
	name := who.User
	if name == "" && len(who.Groups) > 0 {
		name = "group " + who.Groups[0]
	}
	effective := rbac.EffectiveFor(unit, from, who)
	var b strings.Builder
	fmt.Fprintf(&b, "Effective permissions of %s%s", codeText(name), title)
	if len(effective.Cluster) == 0 && len(effective.Namespaces) == 0 {
		b.WriteString(": no binding in the repository grants it anything that is known.")
	}
	if len(effective.Cluster) > 0 {
		b.WriteString("\n\nIn the whole cluster:\n\n" + rulesText(effective.Cluster))
	}
	for _, namespace := range slices.Sorted(maps.Keys(effective.Namespaces)) {
		fmt.Fprintf(&b, "\n\nIn the namespace %s:\n\n%s", codeText(namespace), rulesText(effective.Namespaces[namespace]))
	}
	b.WriteString(doubtsText(effective.Unknown, effective.Partial))
	if n := len(effective.Uncertain); n > 0 {
		fmt.Fprintf(&b, "\n\nIt is uncertain whether %s applies.", codeText(access.BindingName(effective.Uncertain[0])))
	}
	return b.String()
}

// roleText returns the rules of a role, and who holds it.
func roleText(unit *objects.Unit, o *objects.Object, title string) string {
	granted, ok := rbac.GrantedBy(unit, o)
	if !ok {
		return ""
	}
	var holders []string
	for _, b := range rbac.BindingsTo(unit, o) {
		line := "* " + codeText(access.SubjectName(b.Subject)) + " by " + codeText(access.BindingName(b))
		if !slices.Contains(holders, line) {
			holders = append(holders, line)
		}
	}
	text := "The role allows" + title + ":\n\n" + rulesText(granted.Rules) + doubtsText(granted.Unknown, granted.Partial)
	if len(holders) == 0 {
		return text + "\n\nNo binding in the repository is known to grant it."
	}
	return text + "\n\nIts holders:\n\n" + strings.Join(firstOf(holders), "\n")
}

// rulesText returns rules as a table.
func rulesText(rules []rbacv1.PolicyRule) string {
	if len(rules) == 0 {
		return "nothing"
	}
	if rbac.IsClusterAdmin(rules) {
		return "everything (cluster-admin)"
	}
	lines := []string{}
	for _, rule := range policyrules.Compact(rules) {
		names := slices.Concat(rule.ResourceNames, rule.NonResourceURLs)
		var types []string
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				if group != "" {
					resource += "." + group
				}
				types = append(types, resource)
			}
		}
		lines = append(lines, "* "+strings.Join(cells(rule.Verbs, types, names), " "))
	}
	return strings.Join(firstOf(lines), "\n")
}

// cells returns lists of names, those that are not empty, each as code.
func cells(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		if len(list) > 0 {
			all = append(all, codeText(strings.Join(list, ", ")))
		}
	}
	return all
}

// doubtsText names the roles whose rules are not known, or not all of them.
func doubtsText(unknown, partial []rbac.RoleRef) string {
	var lines []string
	for _, ref := range unknown {
		lines = append(lines, "* "+codeText(access.RoleName(ref))+" has rules that are not in the repository")
	}
	for _, ref := range partial {
		lines = append(lines, "* other roles can add to "+codeText(access.RoleName(ref)))
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\nNot known:\n\n" + strings.Join(firstOf(lines), "\n")
}
