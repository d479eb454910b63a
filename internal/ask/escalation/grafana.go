package escalation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// grafanaGoal begins the goal of those who can become an administrator of a Grafana.
const grafanaGoal = "grafana-admin:"

const grafanaGroup = "grafana.integreatly.org"

// GrafanaOf returns the Grafana of a goal grafana-admin:NAMESPACE/NAME; isGrafana is true for any goal that begins like one, and the name is
// empty if the goal is malformed.
func GrafanaOf(goal string) (namespace, name string, isGrafana bool) {
	text, isGrafana := strings.CutPrefix(goal, grafanaGoal)
	namespace, name, ok := strings.Cut(text, "/")
	if !isGrafana || !ok || namespace == "" || name == "" || strings.Contains(name, "/") {
		return "", "", isGrafana
	}
	return namespace, name, true
}

// The permissions that lead to an administrator of a Grafana, and to nothing in Kubernetes: they are no rows of the table of powers.
var (
	readGrafanas    = &permission{Name: "read grafanas", Verbs: []string{"get", "list", "watch"}, Group: grafanaGroup, Resources: []string{"grafanas"}}
	changeGrafanas  = &permission{Name: "change grafanas", Verbs: []string{"update", "patch"}, Group: grafanaGroup, Resources: []string{"grafanas"}}
	createGrafanaSA = &permission{Name: "create grafanaserviceaccounts", Verbs: []string{"create"}, Group: grafanaGroup, Resources: []string{"grafanaserviceaccounts"}}
	changeGrafanaSA = &permission{Name: "change grafanaserviceaccounts", Verbs: []string{"update", "patch"}, Group: grafanaGroup, Resources: []string{"grafanaserviceaccounts"}}
	readConfigMaps  = &permission{Name: "read configmaps", Verbs: []string{"get", "list", "watch"}, Resources: []string{"configmaps"}}

	grafanaPermissions = append(slices.Clone(permissions), readGrafanas, changeGrafanas, createGrafanaSA, changeGrafanaSA, readConfigMaps)
)

// grafana is an instance of Grafana, with what in its namespace makes an administrator.
//
// Sources: grafana-operator v5, controllers/model (the Secret NAME-admin-credentials, the Deployment NAME-deployment, and the ConfigMap
// NAME-ini), controllers/client (what the operator authenticates with), and api/v1beta1 (spec.external, GrafanaServiceAccount).
type grafana struct {
	namespace, name string
	// external is true if the Grafana is not one that the operator runs.
	external bool
	// secrets says what each Secret has, and accounts are the service accounts of the instance.
	secrets  map[string]string
	accounts map[string]bool
	// generated is true if a token of an administrator is in a Secret whose name is generated.
	generated bool
	// hasPassword is true if the object of the Grafana has the password of the administrator.
	hasPassword bool
}

func readGrafana(unit *objects.Unit, namespace, name string) *grafana {
	g := &grafana{namespace: namespace, name: name, secrets: map[string]string{}, accounts: map[string]bool{}}
	instance := &objects.Object{}
	for _, o := range unit.Objects {
		switch {
		case o.Group != grafanaGroup || o.Namespace != namespace:
		case o.Kind == "Grafana" && o.Name == name:
			instance = o
		case o.Kind == "GrafanaServiceAccount" && text(o.Node, "spec", "instanceName") == name:
			g.accounts[o.Name] = true
			g.addTokens(o)
		}
	}
	g.external = instance.Node.Lookup(manifest.Path{"spec", "external"}).IsMapping()
	password := text(instance.Node, "spec", "config", "security", "admin_password")
	g.hasPassword = password != "" && !rbac.Templated(password) && !strings.HasPrefix(password, "$__")
	if g.external {
		for _, field := range []string{"adminPassword", "apiKey"} {
			g.addSecret(text(instance.Node, "spec", "external", field, "name"), "the password or key of the administrator")
		}
		return g
	}
	if text(instance.Node, "spec", "disableDefaultAdminSecret") != "true" {
		g.addSecret(name+"-admin-credentials", "the password of the administrator")
	}
	g.addEnvironment(instance.Node)
	return g
}

func text(node *manifest.Node, path ...string) string { return node.Lookup(path).String() }

func (g *grafana) addSecret(name, has string) {
	if name != "" && g.secrets[name] == "" {
		g.secrets[name] = has
	}
}

// addTokens adds the Secrets with the tokens of an account that is an administrator. Grafana rejects the tokens of a disabled one.
func (g *grafana) addTokens(o *objects.Object) {
	if text(o.Node, "spec", "role") != "Admin" || text(o.Node, "spec", "isDisabled") == "true" {
		return
	}
	for _, token := range objects.Items(o.Node.Lookup(manifest.Path{"spec", "tokens"})) {
		secret := token.Get("secretName").String()
		g.generated = g.generated || secret == ""
		g.addSecret(secret, "a token of GrafanaServiceAccount "+o.Name+", an administrator")
	}
}

// addEnvironment adds the Secrets from which the Deployment of a Grafana takes the password.
func (g *grafana) addEnvironment(instance *manifest.Node) {
	for _, container := range objects.Items(instance.Lookup(manifest.Path{"spec", "deployment", "spec", "template", "spec", "containers"})) {
		for _, env := range objects.Items(container.Get("env")) {
			if env.Get("name").String() == "GF_SECURITY_ADMIN_PASSWORD" {
				g.addSecret(text(env, "valueFrom", "secretKeyRef", "name"), "the password of the administrator")
			}
		}
		for _, source := range objects.Items(container.Get("envFrom")) {
			g.addSecret(text(source, "secretRef", "name"), "the environment of the Grafana, which can set the password of the administrator")
		}
	}
}

// isIn reports whether a permission applies in the namespace of the Grafana.
func (g *grafana) isIn(h held) bool { return h.namespace == "" || h.namespace == g.namespace }

// grafanaSteps lead to an administrator of the Grafana that is the goal.
func (w *World) grafanaSteps(n *node) {
	if w.grafana == nil {
		return
	}
	w.grafanaSecrets(n)
	w.grafanaObjects(n)
	w.grafanaPods(n)
}

// toGrafana links a node to the goal, by a permission in the namespace of the Grafana.
func (w *World) toGrafana(n *node, h held, step Step) {
	step.Grants = []access.Grant{h.grant}
	w.link(n, w.goal, &step)
}

func (w *World) grafanaSecrets(n *node) {
	g := w.grafana
	for _, h := range n.held(readSecrets) {
		switch has := g.secrets[h.name]; {
		case !g.isIn(h):
		case has != "":
			w.toGrafana(n, h, Step{Kind: Secret, Text: fmt.Sprintf("reads Secret %s, which has %s", h.name, has)})
		case h.name == "" && (len(g.secrets) > 0 || g.generated):
			w.toGrafana(n, h, Step{Kind: Secret, Text: "reads the Secrets in namespace " + g.namespace + ", which have passwords or tokens of administrators"})
		}
	}
	if !g.hasPassword {
		return
	}
	for _, h := range n.held(readGrafanas) {
		if g.isIn(h) && (h.name == "" || h.name == g.name) {
			w.toGrafana(n, h, Step{Kind: Secret, Text: "reads the password of the administrator in the configuration of Grafana " + g.name})
		}
	}
	for _, h := range n.held(readConfigMaps) {
		if g.isIn(h) && !g.external && (h.name == "" || h.name == g.name+"-ini") {
			w.toGrafana(n, h, Step{Kind: Secret, Text: "reads the password of the administrator in ConfigMap " + g.name + "-ini"})
		}
	}
}

// grafanaObjects write what the operator does as an administrator.
//
// Source: the rule grafana/create-access and its references.
func (w *World) grafanaObjects(n *node) {
	g := w.grafana
	const usesToken = "assumes that the holder can use the Secret of the token, whose name it chooses"
	for _, h := range n.held(createGrafanaSA) {
		if g.isIn(h) {
			w.toGrafana(n, h, Step{Kind: Extension, Text: "creates a GrafanaServiceAccount with the role Admin, for which the operator makes a token", Known: usesToken})
		}
	}
	for _, h := range n.held(changeGrafanaSA) {
		if g.isIn(h) && (g.accounts[h.name] || h.name == "" && len(g.accounts) > 0) {
			w.toGrafana(n, h, Step{Kind: Extension, Text: "gives a GrafanaServiceAccount of the Grafana the role Admin, and another token", Known: usesToken})
		}
	}
	for _, h := range n.held(changeGrafanas) {
		if g.isIn(h) && (h.name == "" || h.name == g.name) {
			w.toGrafana(n, h, Step{Kind: Extension, Text: "changes the configuration of Grafana " + g.name + ", which decides who is an administrator"})
		}
	}
}

// grafanaPods use a Secret in a new pod, or the environment of a pod of the Grafana.
func (w *World) grafanaPods(n *node) {
	g := w.grafana
	for _, p := range slices.Concat(creatingPods, changingPods) {
		for _, h := range n.held(p) {
			if g.isIn(h) && len(g.secrets) > 0 {
				w.toGrafana(n, h, Step{Kind: Pod, Text: fmt.Sprintf("runs a pod in namespace %s that uses Secret %s, which has %s", g.namespace, g.firstSecret(), g.secrets[g.firstSecret()])})
			}
		}
	}
	if g.external {
		return
	}
	for _, p := range []*permission{execPods, addContainers, changePods} {
		for _, h := range n.held(p) {
			if g.isIn(h) && (h.name == "" || strings.HasPrefix(h.name, g.name+"-deployment-")) {
				w.toGrafana(n, h, Step{Kind: Exec, Text: "runs a command in a pod of Grafana " + g.name + ", whose environment has the password of the administrator"})
			}
		}
	}
}

// firstSecret returns the Secret that the operator makes for the administrator; the first one if it makes none.
func (g *grafana) firstSecret() string {
	if admin := g.name + "-admin-credentials"; g.secrets[admin] != "" {
		return admin
	}
	return sortedKeys(g.secrets)[0]
}

// grafanaAssumptions are what an answer about a Grafana does not consider in addition.
var grafanaAssumptions = []string{
	"users, teams, and identity providers of Grafana, and what Terraform makes there, are unknown",
	"tokens of administrators count until they are removed, also after their date",
	"the account of grafana-operator, which reads the Secrets, is listed only with bindings of the repository",
}

// knownGoals adds the Grafanas and accounts of a unit, as goals.
func knownGoals(unit *objects.Unit, known map[string]bool) {
	for _, o := range unit.Objects {
		switch {
		case o.Namespace == "":
		case o.Group == grafanaGroup && o.Kind == "Grafana":
			known[grafanaGoal+o.Namespace+"/"+o.Name] = true
		case o.Group == "" && o.Kind == rbac.KindServiceAccount:
			known[objects.Account{Namespace: o.Namespace, Name: o.Name}.User()] = true
		}
	}
}

// accountsOfOthers returns doubts about service accounts that other controllers than grafana-operator make.
func accountsOfOthers(unit *objects.Unit) (doubts []access.Doubt) {
	for _, o := range unit.Objects {
		if controlled.MakesGrafanaAccount(o.Group, o.Kind) {
			doubts = append(doubts, access.Doubt{
				Position: o.Position(nil), Message: o.Kind + " " + o.Name + " of " + o.Group + " makes a service account of a Grafana, or a token or permission of one, and is not checked",
			})
		}
	}
	return doubts
}
