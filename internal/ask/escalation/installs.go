package escalation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// createsCustom runs something as an account through the controller of a custom resource.
func (w *World) createsCustom(n *node) {
	for _, p := range customPods {
		for _, h := range n.own[p] {
			what := h.resource + "." + p.Group
			w.toAccounts(n, held{namespace: h.namespace}, accounts, &Step{Kind: Pod, Text: fmt.Sprintf("writes %s %s whose pods run as", what, h.in()), As: true,
				Grants: []access.Grant{h.grant}, Known: "assumes that the controller of " + what + " runs"})
		}
	}
}

// installs let GitOps tools and OLM v0 install something. They act as their own account, unless the object names one. If the repository grants
// roles to the account of the controller, these count; otherwise it is a cluster-admin, as the tool ships it.
func (w *World) installs(n *node) {
	for _, tool := range danger.Installers() {
		for _, h := range n.own[danger.Named(tool.PowerName())] {
			if !w.reads(tool, h.namespace) {
				continue
			}
			step := &Step{Kind: Install, Text: fmt.Sprintf("writes %s, from which %s installs", h.resource+"."+tool.Group, tool.Tool), Grants: []access.Grant{h.grant}}
			account, known := w.controllerOf(tool)
			switch {
			case w.defaultAccount(tool):
				step.Text += " as"
				step.As = true
				step.Known = "the controller acts as the account that the object names, or as that of --default-service-account"
				w.link(n, w.place(accounts, h.namespace), step)
			case known:
				step.Text += " as its controller,"
				step.As = true
				w.link(n, w.identity(rbac.Account(account)), step)
			default:
				step.Text += " as cluster-admin"
				step.Known = "assumes that " + tool.Tool + " runs, and acts as cluster-admin, as it ships"
				w.link(n, w.admin, step)
			}
		}
	}
}

// reads reports whether a tool reads its objects in a namespace: in that of its account, or in one of its usual ones.
func (w *World) reads(tool danger.Installer, namespace string) bool {
	if namespace == "" || len(tool.Namespaces) == 0 || slices.Contains(tool.Namespaces, namespace) {
		return true
	}
	account, known := w.controllerOf(tool)
	return known && account.Namespace == namespace
}

// controllerOf returns the account of the controller of a tool to which the repository grants roles.
func (w *World) controllerOf(tool danger.Installer) (account objects.Account, known bool) {
	for _, b := range rbac.Bindings(w.unit) {
		s := normal(b.Subject)
		if s.Kind != rbac.KindServiceAccount || !b.Certain() {
			continue
		}
		is := func(name string) bool {
			return s.Name == name || strings.HasPrefix(name, "-") && strings.HasSuffix(s.Name, name)
		}
		if slices.ContainsFunc(tool.Accounts, is) {
			return objects.Account{Namespace: s.Namespace, Name: s.Name}, true
		}
	}
	return account, false
}

// defaultAccountFlag lets Flux act as an account of the namespace of the object.
//
// Source: https://fluxcd.io/flux/installation/configuration/multitenancy/.
const defaultAccountFlag = "--default-service-account"

// defaultAccount reports whether the repository sets the flag for the controller of a tool.
func (w *World) defaultAccount(tool danger.Installer) bool {
	return tool.Tool == "Flux" && slices.ContainsFunc(w.unit.Objects, func(o *objects.Object) bool {
		return o.Kind == "Deployment" && slices.Contains(tool.Accounts, o.Name) && hasText(o.JSON(), defaultAccountFlag)
	})
}

// hasText reports whether a value contains a text that begins with a prefix.
func hasText(value any, prefix string) bool {
	switch v := value.(type) {
	case string:
		return strings.HasPrefix(v, prefix)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return hasText(item, prefix) })
	case map[string]any:
		for _, item := range v {
			if hasText(item, prefix) {
				return true
			}
		}
	}
	return false
}
