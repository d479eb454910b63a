package escalation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// OLM is what OLM does for a writer of extensions.
type OLM int

const (
	// OLMUnknown is what is done if the release is unknown: OLM acts at least as the account that the extension names.
	OLMUnknown OLM = iota
	// OLMNamed acts as the account that the extension names.
	OLMNamed
	// OLMAdmin acts as its own account, a cluster-admin.
	OLMAdmin
	// OLMRestricted acts as its own account, which the repository restricts.
	OLMRestricted
)

// Options are what a graph depends on in addition to its unit.
type Options struct {
	// Goal is cluster-admin, which "" stands for, a user or account by its user name, or grafana-admin:NAMESPACE/NAME.
	Goal string
	// OLM returns what OLM does for what a binding of the unit allows, or with nil for the unit; nil is OLMUnknown.
	OLM func(binding *objects.Object) OLM
	// Controllers are the accounts as which OLM can act.
	Controllers []objects.Account
	// Syncs are nil if Argo CD applies everything as its own account, and if its settings are not known.
	Syncs *Syncs
}

// World is the graph of one unit.
type World struct {
	unit    *objects.Unit
	options Options
	// nodes are in the order in which they were found, with the goal first.
	nodes  []*node
	byID   map[rbac.Subject]*node
	places map[place]*node
	admin  *node
	goal   *node
	// grafana is the Grafana of which the goal is an administrator; nil for another goal.
	grafana *grafana
	edges   int
	// olm are the kinds of answers about OLM that steps depend on.
	olm map[OLM]bool
	// uncertain are bindings that would give a node a permission for a step if they applied, or whose roles are not known.
	uncertain []rbac.Binding
	// unseenExtensions is set if someone can change extensions and the unit contains none.
	unseenExtensions bool
	doubts           []access.Doubt
	inventory        inventory
	sources          sourceUses
	// pending are nodes whose steps are not yet derived.
	pending []*node
	roles   map[roleKey]*node
	entered map[entry]bool
}

// NewWorld builds the graph of a unit. It needs the RBAC of the unit, its accounts, pods, and Secrets of tokens.
func NewWorld(unit *objects.Unit, options Options) *World {
	if options.OLM == nil {
		options.OLM = func(*objects.Object) OLM { return OLMUnknown }
	}
	w := &World{unit: unit, options: options, byID: map[rbac.Subject]*node{}, places: map[place]*node{}, roles: map[roleKey]*node{}, entered: map[entry]bool{}, olm: map[OLM]bool{}}
	w.admin = w.add(&node{})
	w.goal = w.admin
	if namespace, name, isGrafana := GrafanaOf(options.Goal); isGrafana {
		w.grafana = readGrafana(unit, namespace, name)
	}
	w.inventory = readInventory(unit)
	w.readBindings()
	w.readControlled()
	w.readAccounts()
	w.readSources()
	w.setGoal()
	w.steps()
	w.constrained()
	w.steps()
	w.defaults() // last, so that of chains of one length those through the repository are chosen
	w.steps()
	w.connectPlaces()
	return w
}

// setGoal sets what the graph leads to. What is allowed everything becomes it, too.
func (w *World) setGoal() {
	switch goal := w.options.Goal; {
	case goal == "" || goal == ClusterAdmin:
	case w.grafana != nil:
		w.goal = w.add(&node{})
		w.link(w.admin, w.goal, &Step{Kind: Secret, Text: "reads the password of the administrator of Grafana " + w.grafana.name, Known: "cluster-admin allows it"})
	default:
		w.goal = w.identity(rbac.Subject{Kind: rbac.KindUser, Name: goal})
		w.link(w.admin, w.goal, &Step{Kind: Impersonate, Text: "impersonates", As: true, Known: "cluster-admin allows it"})
	}
}

// readAccounts adds the accounts of the unit, and those of its token Secrets.
func (w *World) readAccounts() {
	byName := func(a, b objects.Account) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	}
	for _, account := range slices.SortedFunc(maps.Keys(w.inventory.accounts), byName) {
		w.identity(rbac.Account(account)).listed = true
	}
	for _, name := range sorted(w.inventory.tokens) {
		w.identity(rbac.Account(w.inventory.tokens[name]))
	}
}

// defaults adds an account of every cluster that can become cluster-admin: that of the controller that aggregates roles, which has
// escalate on ClusterRoles, as controllers have separate accounts where kube-controller-manager uses
// --use-service-account-credentials, as kubeadm and OpenShift do. The other accounts of kube-system are not needed for a chain.
//
// Source: k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy (buildControllerRoles).
func (w *World) defaults() {
	controller := w.identity(rbac.Account(objects.Account{Namespace: "kube-system", Name: "clusterrole-aggregation-controller"}))
	controller.noPods = true // it runs in kube-controller-manager
	w.link(controller, w.admin, &Step{Kind: Escalate, Text: "adds every permission to a ClusterRole that it has",
		Known: "ClusterRole system:controller:clusterrole-aggregation-controller, default of every cluster"})
	if w.options.OLM(nil) != OLMAdmin {
		return
	}
	for _, account := range w.options.Controllers {
		w.link(w.identity(rbac.Account(account)), w.admin, &Step{Kind: Admin, Text: "is cluster-admin", Known: "the account of OLM, a cluster-admin as OLM ships it"})
	}
}

func (w *World) add(n *node) *node {
	n.own, n.admin, n.permissions = map[*permission][]held{}, map[string]*access.Grant{}, w.permissions()
	w.nodes = append(w.nodes, n)
	w.pending = append(w.pending, n)
	return n
}

// identity returns the node of an identity, which is added once, with its groups.
func (w *World) identity(s rbac.Subject) *node {
	s = normal(s)
	if n := w.byID[s]; n != nil {
		return n
	}
	n := w.add(&node{subject: s})
	w.byID[s] = n
	if group := groupOf(s); group != "" {
		n.group = w.identity(rbac.Subject{Kind: rbac.KindGroup, Name: group})
		w.link(n, n.group, nil)
	}
	return n
}

func (w *World) link(from, to *node, step *Step) {
	if from == to {
		return
	}
	w.edges++
	to.from = append(to.from, &edge{from, to, step})
}

func (w *World) readBindings() {
	for _, b := range w.bindings() {
		rules := rbac.RulesOfBinding(w.unit, b)
		if !b.Certain() {
			if len(rules.Unknown) > 0 || slices.ContainsFunc(rules.Rules, w.matters) {
				w.uncertain = append(w.uncertain, b)
			}
			continue
		}
		n := w.identity(b.Subject)
		n.listed = true
		if len(rules.Unknown) > 0 || rules.Partial {
			w.uncertain = append(w.uncertain, b)
		}
		w.grant(n, b, rules)
	}
	for _, b := range rbac.DefaultBindings(w.unit) {
		n := w.identity(b.Subject)
		n.listed = n.listed || b.Subject.Kind == rbac.KindGroup && everyone[b.Subject.Name]
		w.grant(n, b, rbac.RulesOfBinding(w.unit, b))
	}
}

// bindings returns the bindings of the unit. Those that may be missing from the cluster come last, so that chains prefer the others.
func (w *World) bindings() []rbac.Binding {
	var certain, passing []rbac.Binding
	for _, b := range rbac.Bindings(w.unit) {
		if _, may := b.Missing(w.unit); may {
			passing = append(passing, b)
		} else {
			certain = append(certain, b)
		}
	}
	return append(certain, passing...)
}

// doubtsOfChains returns doubts about the bindings of chains that may be missing from the cluster.
func (w *World) doubtsOfChains(chains []Chain) []access.Doubt {
	var doubts []access.Doubt
	seen := map[*objects.Object]bool{}
	for _, chain := range chains {
		for _, link := range chain.Links {
			for _, grant := range link.Grants {
				o := grant.Binding.Object
				if o == nil || seen[o] {
					continue
				}
				seen[o] = true
				if doubt, may := access.MayBeMissing(w.unit, grant.Binding); may {
					doubts = append(doubts, doubt)
				}
			}
		}
	}
	return doubts
}

// everyone are the groups whose default grants are listed, because any user can be a member.
var everyone = map[string]bool{authenticated: true, unauthenticated: true, accountsGroup: true}

// matters reports whether a rule has a permission of any step.
func matters(rule rbacv1.PolicyRule) bool { return mattersTo(permissions, rule) }

func (w *World) matters(rule rbacv1.PolicyRule) bool { return mattersTo(w.permissions(), rule) }

func mattersTo(list []*permission, rule rbacv1.PolicyRule) bool {
	return len(allVerbs(rule)) > 0 || slices.ContainsFunc(list, func(p *permission) bool {
		names, _, _ := p.In(rule)
		return len(names) > 0
	})
}

// permissions returns the permissions of steps.
func (w *World) permissions() []*permission {
	if w.grafana != nil {
		return grafanaPermissions
	}
	return permissions
}

// grant gives a node the permissions of a binding.
func (w *World) grant(n *node, b rbac.Binding, rules rbac.BindingRules) {
	for i, rule := range rules.Rules {
		grant := access.NewGrant(w.unit, b, rule, rules.Source(i))
		w.grantRule(n, b.Scope, rule, &grant)
	}
	n.roles = append(n.roles, heldRole{b.Role, b.Scope, access.NewGrant(w.unit, b, rbacv1.PolicyRule{}, rbac.RuleSource{})})
}

func (w *World) grantRule(n *node, namespace string, rule rbacv1.PolicyRule, grant *access.Grant) {
	if namespace == "" {
		for _, verb := range allVerbs(rule) {
			if _, has := n.admin[verb]; !has {
				n.admin[verb] = grant
			}
		}
	}
	scope := namespace
	if scope == rbac.AnyNamespace {
		scope = ""
	}
	n.rules = append(n.rules, ruleHeld{scope, namespace, rule, grant})
}
