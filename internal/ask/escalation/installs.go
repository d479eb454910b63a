package escalation

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// createsCustom runs something as an account through the controller of a custom resource.
func (w *World) createsCustom(n *node) {
	for _, p := range customPods {
		for _, h := range n.held(p) {
			what := h.resource + "." + p.Group
			w.toAccounts(n, held{namespace: h.namespace}, accounts, &Step{Kind: Pod, Text: fmt.Sprintf("writes %s %s that run, or act, as", what, h.in()), As: true,
				Grants: []access.Grant{h.grant}, Known: "assumes that the controller of " + what + " runs"})
		}
	}
}

// controllers are those of the table, with the permission to write what each reads.
var controllers = sync.OnceValue(func() []controlling {
	var all []controlling
	for _, c := range danger.Controllers() {
		all = append(all, controlling{c, danger.Named(c.PowerName())})
	}
	return all
})

type controlling struct {
	danger.Controller

	write *permission
}

// controls let the controllers of the table do something.
func (w *World) controls(n *node) {
	for i := range controllers() {
		c := &controllers()[i]
		for _, h := range n.held(c.write) {
			if w.reads(c.Controller, h.namespace) {
				w.controlled(n, h, c.Controller)
			}
		}
	}
}

// controlled links a holder to what a controller makes of an object.
func (w *World) controlled(n *node, h held, c danger.Controller) {
	what := h.resource + "." + c.Group
	step := Step{Kind: Install, Grants: []access.Grant{h.grant}, Known: "assumes that " + c.Tool + " runs"}
	if c.Elsewhere {
		step.Known += ", and means the clusters that it manages"
	}
	switch c.Effect {
	case danger.Applies:
		w.installs(n, h, c)
	case danger.Grants:
		step.Text = "writes " + what + ", by which " + c.Tool + " grants any role"
		w.link(n, w.admin, &step)
	case danger.Mutates:
		w.mutates(n, h, c, step)
	case danger.Joins:
		step.Kind, step.Text, step.As = Impersonate, "makes itself, with "+what+", a member of", true
		w.link(n, w.place(membersOf(h.name), ""), &step)
	case danger.Acts:
		step.Kind, step.Text, step.As = Impersonate, "becomes, with "+what+",", true
		w.link(n, w.place(ownUsers, ""), &step)
	case danger.Tokens:
		step.Kind, step.Text, step.As = Token, "has "+c.Tool+", with "+what+", send it a token of", true
		w.link(n, w.place(accounts, h.namespace), &step)
	}
}

// mutates changes what administrators write, or with a policy of a namespace the pods of others there.
func (w *World) mutates(n *node, h held, c danger.Controller, step Step) {
	step.Kind = Webhook
	if c.ClusterScoped {
		step.Text = "changes what administrators write, with " + h.resource + "." + c.Group
		w.link(n, w.admin, &step)
		return
	}
	step.Text, step.As = fmt.Sprintf("changes pods %s, with %s.%s, to run as", h.in(), h.resource, c.Group), true
	w.link(n, w.place(accounts, h.namespace), &step)
}

// installs lets a tool apply something.
func (w *World) installs(n *node, h held, tool danger.Controller) {
	step := Step{Kind: Install, Text: fmt.Sprintf("writes %s, from which %s installs", h.resource+"."+tool.Group, tool.Tool), Grants: []access.Grant{h.grant}}
	if tool.Tool == argoCD && w.options.Syncs != nil {
		w.syncs(n, h, step)
		if !w.options.Syncs.OrAsOwn {
			return
		}
	}
	w.installed(n, h, tool, step)
}

// installed links a holder to the identity as which a tool installs: its own account, unless the object names one. If the repository grants
// roles to the account of the controller, these count; otherwise it is a cluster-admin, as the tool ships it.
func (w *World) installed(n *node, h held, tool danger.Controller, step Step) {
	account, known := w.accountOf(tool.Accounts)
	switch {
	case tool.Elsewhere:
		step.Text += " as cluster-admin"
		step.Known = "assumes that " + tool.Tool + " runs, and means the clusters that it manages"
		w.link(n, w.admin, &step)
	case w.defaultAccount(tool):
		step.Text += " as"
		step.As = true
		step.Known = "the controller acts as the account that the object names, or as that of --default-service-account"
		w.link(n, w.place(accounts, h.namespace), &step)
	case known:
		step.Text += " as its controller,"
		step.As = true
		w.link(n, w.identity(rbac.Account(account)), &step)
	default:
		step.Text += " as cluster-admin"
		step.Known = "assumes that " + tool.Tool + " runs, and acts as cluster-admin, as it ships"
		w.link(n, w.admin, &step)
	}
}

const argoCD = "Argo CD"

// Syncs are the accounts as which Argo CD syncs, where its settings enable that.
type Syncs struct {
	// Accounts are those that projects set. The namespace is "" for any.
	Accounts []objects.Account
	// OrAsOwn is set if Argo CD acts as its own account for destinations without one.
	OrAsOwn bool
}

// syncs lead to the accounts as which Argo CD syncs: a writer of Applications chooses among the projects, and a writer of projects sets any
// account.
func (w *World) syncs(n *node, h held, step Step) {
	step.Text += " as"
	step.As = true
	step.Known = "syncs act as the accounts that AppProjects set"
	if h.resource == "appprojects" {
		w.link(n, w.place(accounts, ""), &step)
		return
	}
	for _, account := range w.options.Syncs.Accounts {
		w.toAccounts(n, held{namespace: account.Namespace, name: account.Name}, accounts, &step)
	}
}

// reads reports whether a tool reads its objects in a namespace: in that of its account, or in one of its usual ones.
func (w *World) reads(tool danger.Controller, namespace string) bool {
	if namespace == "" || len(tool.Namespaces) == 0 || slices.Contains(tool.Namespaces, namespace) {
		return true
	}
	account, known := w.accountOf(tool.Accounts)
	return known && account.Namespace == namespace
}

// accountOf returns the account of a controller, of which the names are given, to which the repository grants roles.
func (w *World) accountOf(names []string) (account objects.Account, known bool) {
	for _, b := range rbac.Bindings(w.unit) {
		s := normal(b.Subject)
		if s.Kind != rbac.KindServiceAccount || !b.Certain() {
			continue
		}
		is := func(name string) bool {
			return s.Name == name || strings.HasPrefix(name, "-") && strings.HasSuffix(s.Name, name)
		}
		if slices.ContainsFunc(names, is) {
			return objects.Account{Namespace: s.Namespace, Name: s.Name}, true
		}
	}
	return account, false
}

// defaultAccount reports whether the repository sets a default account for the controller of a tool.
func (w *World) defaultAccount(tool danger.Controller) bool {
	return tool.Tool == "Flux" && flux.SettingsOf(w.unit.Objects, tool.Accounts[0]).DefaultAccount != ""
}
