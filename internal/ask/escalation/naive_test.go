package escalation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

const (
	rbacGroup      = rbac.Group
	admissionGroup = "admissionregistration.k8s.io"
	signingGroup   = "certificates.k8s.io"
	olmGroup       = "olm.operatorframework.io"

	authenticationGroup = "authentication.k8s.io"
)

// naive is an independent search: it asks of each pair of states whether the first can become the second, with the answers of
// `salint can-i`, until nothing changes. A state is an identity, or the holder of one more role.
type naive struct {
	unit *objects.Unit
	// states are users, accounts as NAMESPACE/NAME, groups as group:NAME, and holders as holder:NAMESPACE:KIND:NAME, which the
	// unit has as users with one binding.
	states []string
	tokens map[string]string // accounts by the NAMESPACE/NAME of token Secrets
	pods   map[string]string // accounts by the NAMESPACE/NAME of pods
	// roles are names of roles by namespace, with those of the cluster in "". bindings are their roles, as KIND:NAME.
	roles    map[string][]string
	bindings map[string]map[string]string
	// others are the states of who sends some requests as another.
	others map[string]other
	asked  map[string]bool
}

// other is an identity that sends requests as another one, in a mode of constrained impersonation.
type other struct{ from, to, mode string }

const stranger = "zz" // a name that no rule has

var (
	naiveNamespaces = []string{"a", "b", "kube-system"}
	naiveNames      = append([]string{stranger}, worldNames...)
)

func (s *naive) identity(state string) rbac.Identity {
	namespace, name, isAccount := strings.Cut(state, "/")
	group, isGroup := strings.CutPrefix(state, "group:")
	switch {
	case isGroup && group == "system:serviceaccounts:a":
		return rbac.Identity{Groups: []string{group, "system:serviceaccounts", "system:authenticated"}}
	case isGroup:
		return rbac.Identity{Groups: []string{group, "system:authenticated"}}
	case isAccount:
		return rbac.Account(objects.Account{Namespace: namespace, Name: name}).Identity()
	case strings.HasPrefix(state, "holder:"):
		return rbac.Identity{User: state}
	}
	return rbac.Identity{User: state, Groups: []string{"system:authenticated"}}
}

// can asks for one verb of several, on VERBS GROUP RESOURCE[/SUBRESOURCE].
func (s *naive) can(state, verbs, group, resource, name, namespace string) bool {
	key := strings.Join([]string{state, verbs, group, resource, name, namespace}, "|")
	if answer, known := s.asked[key]; known {
		return answer
	}
	resource, sub, _ := strings.Cut(resource, "/")
	answer := slices.ContainsFunc(strings.Split(verbs, ","), func(verb string) bool {
		if o, is := s.others[state]; is {
			return s.canFor(o, verb, group, resource, sub, name, namespace)
		}
		asked := name
		if verb == "create" && sub == "" {
			asked = "" // unknown when it is authorized
		}
		r := rbac.Request{Verb: verb, Group: group, Resource: resource, Subresource: sub, Name: asked, Namespace: namespace}
		who := s.identity(state)
		byDefault := len(who.Groups) > 0 && !strings.HasPrefix(verb, "impersonate") // only administrators impersonate by default
		return rbac.Ask(s.unit, nil, who, r).Allowed || byDefault && rbac.AskDefaults(s.unit, who, r).Allowed
	})
	s.asked[key] = answer
	return answer
}

// canFor answers whether a request is allowed that is sent as another: both must be allowed to, and whether a role can be granted depends on the other alone.
func (s *naive) canFor(o other, verb, group, resource, sub, name, namespace string) bool {
	if sub != "" {
		resource += "/" + sub
	}
	switch verb {
	case "impersonate":
		return false
	case "bind", "escalate":
		return s.can(o.to, verb, group, resource, name, namespace)
	}
	if verb == "create" && sub == "" {
		name = "" // unknown when it is authorized
	}
	return s.can(o.from, "impersonate-on:"+o.mode+":"+verb, group, resource, name, namespace) && s.can(o.to, verb, group, resource, name, namespace)
}

// addOthers adds the states of who acts as others for some requests.
func (s *naive) addOthers() {
	s.others = map[string]other{}
	for _, from := range slices.Clone(s.states) {
		for _, to := range s.states {
			mode, ok := s.actsFor(from, to)
			if !ok || from == to || !s.sendsFor(from, mode) {
				continue
			}
			state := "as:" + from + ">" + to
			s.others[state] = other{from, to, mode}
		}
	}
	s.states = append(s.states, slices.Sorted(maps.Keys(s.others))...)
}

// sendsFor answers whether a state has a part of the second half for requests of random rules.
func (s *naive) sendsFor(state, mode string) bool {
	for _, verb := range []string{"create", "get"} {
		on := "impersonate-on:" + mode + ":" + verb
		if s.can(state, on, rbacGroup, "clusterrolebindings", "", "") {
			return true
		}
		for _, namespace := range append([]string{""}, naiveNamespaces...) {
			if s.can(state, on, "", "pods", "", namespace) || s.can(state, on, "", "pods/exec", "", namespace) || s.anyName(state, on, "", "secrets", namespace) {
				return true
			}
		}
	}
	return false
}

// actsFor answers whether a state has the first half of constrained impersonation of another identity, and for which mode.
func (s *naive) actsFor(from, to string) (mode string, ok bool) {
	const users, accounts = "user-info", "serviceaccount"
	if group, isGroup := strings.CutPrefix(to, "group:"); isGroup {
		return users, group != masters && s.can(from, "impersonate:"+users, authenticationGroup, "groups", group, "") && s.anyName(from, "impersonate:"+users, authenticationGroup, "users", "")
	}
	if strings.HasPrefix(to, "holder:") {
		return "", false
	}
	if namespace, name, isAccount := strings.Cut(to, "/"); isAccount {
		return accounts, s.can(from, "impersonate:"+accounts, authenticationGroup, "serviceaccounts", name, namespace)
	}
	return users, s.can(from, "impersonate:"+users, authenticationGroup, "users", to, "")
}

func (s *naive) anyName(state, verbs, group, resource, namespace string) bool {
	return slices.ContainsFunc(naiveNames, func(name string) bool {
		return s.can(state, verbs, group, resource, name, namespace)
	})
}

// administers answers whether a state becomes cluster-admin in one step.
func (s *naive) administers(state string) bool {
	switch state {
	case "group:system:masters", "kube-system/clusterrole-aggregation-controller":
		return true
	}
	all := true
	for _, verb := range rbac.Everything().Verbs {
		all = all && s.can(state, verb, "zz.io", "zz", "", "")
	}
	if s.anyName(state, "create,update,patch", "hive.openshift.io", "selectorsyncsets", "") {
		return true
	}
	if all || s.anyName(state, "create,update,patch", admissionGroup, "mutatingwebhookconfigurations", "") {
		return true
	}
	if s.anyName(state, "create,update,patch", "kyverno.io", "clusterpolicies", "") || s.anyName(state, "create,update,patch", "management.cattle.io", "globalrolebindings", "") {
		return true
	}
	for _, role := range s.roles[""] {
		if !s.bindsInCluster(state, role) {
			continue
		}
		if role == "cluster-admin" || s.extends(state, role) {
			return true
		}
	}
	return slices.ContainsFunc(s.held(state, ""), func(role string) bool {
		kind, name, _ := strings.Cut(role, ":")
		return kind == "ClusterRole" && s.extends(state, name)
	}) || s.bindsNew(state)
}

func (s *naive) extends(state, role string) bool {
	return s.can(state, "escalate", rbacGroup, "clusterroles", role, "") && s.can(state, "update,patch", rbacGroup, "clusterroles", role, "")
}

// bindsNew answers whether a state creates a ClusterRole with everything, and binds itself to it.
func (s *naive) bindsNew(state string) bool {
	return s.can(state, "escalate", rbacGroup, "clusterroles", "", "") && s.can(state, "create", rbacGroup, "clusterroles", "", "") &&
		s.can(state, "create", rbacGroup, "clusterrolebindings", "", "") && s.can(state, "bind", rbacGroup, "clusterroles", "new", "")
}

func (s *naive) bindsInCluster(state, role string) bool {
	if !s.can(state, "bind", rbacGroup, "clusterroles", role, "") {
		return false
	}
	if s.can(state, "create", rbacGroup, "clusterrolebindings", "", "") {
		return true
	}
	for name, bound := range s.bindings[""] {
		if bound == "ClusterRole:"+role && s.can(state, "update,patch", rbacGroup, "clusterrolebindings", name, "") {
			return true
		}
	}
	return false
}

// held lists the roles that a state has in a namespace.
func (s *naive) held(state, namespace string) []string {
	if o, is := s.others[state]; is {
		state = o.to
	}
	var list []string
	for _, b := range rbac.BindingsFor(s.unit, nil, s.identity(state)) {
		if b.Scope == namespace && !strings.HasPrefix(state, "holder:") {
			list = append(list, b.Role.Kind+":"+b.Role.Name)
		}
	}
	return list
}

// holds answers whether a state becomes the holder of a role in a namespace in one step.
func (s *naive) holds(state, namespace, kind, role string) bool {
	if namespace == "" {
		return s.bindsInCluster(state, role)
	}
	resource := strings.ToLower(kind) + "s"
	if s.can(state, "bind", rbacGroup, resource, role, namespace) {
		if s.can(state, "create", rbacGroup, "rolebindings", "", namespace) {
			return true
		}
		for name, bound := range s.bindings[namespace] {
			if bound == kind+":"+role && s.can(state, "update,patch", rbacGroup, "rolebindings", name, namespace) {
				return true
			}
		}
	}
	if role != "cluster-admin" {
		return false
	}
	for _, held := range s.held(state, namespace) {
		heldKind, name, _ := strings.Cut(held, ":")
		if heldKind == "Role" && s.can(state, "escalate", rbacGroup, "roles", name, namespace) && s.can(state, "update,patch", rbacGroup, "roles", name, namespace) {
			return true
		}
	}
	return s.can(state, "escalate", rbacGroup, "roles", "", namespace) && s.can(state, "create", rbacGroup, "roles", "", namespace) &&
		s.can(state, "bind", rbacGroup, "roles", stranger, namespace) && s.can(state, "create", rbacGroup, "rolebindings", "", namespace)
}

// certifies answers whether a state gets a client certificate.
func (s *naive) certifies(state string) bool {
	return s.can(state, "create", signingGroup, "certificatesigningrequests", "", "") &&
		s.anyName(state, "update,patch", signingGroup, "certificatesigningrequests/approval", "") &&
		s.can(state, "approve", signingGroup, "signers", clientSigner, "")
}

// takes answers whether a state becomes an account in one step.
func (s *naive) takes(state, namespace, name string) bool {
	switch {
	case s.can(state, "impersonate", "", "serviceaccounts", name, namespace),
		s.can(state, "create", "", "serviceaccounts/token", name, namespace),
		s.can(state, "create", "", "pods", "", namespace),
		s.can(state, "create", "apps", "deployments", "", namespace),
		s.anyName(state, "update,patch", "apps", "deployments", namespace),
		s.can(state, "create", "", "secrets", "", namespace) && s.anyName(state, "get,list,watch", "", "secrets", namespace),
		s.anyName(state, "create,update,patch", olmGroup, "clusterextensions", ""),
		s.anyName(state, "create,update,patch", "kappctrl.k14s.io", "apps", namespace),
		s.anyName(state, "create,update,patch", "k6.io", "testruns", namespace),
		s.anyName(state, "create,update,patch", "opentelemetry.io", "instrumentations", namespace),
		s.anyName(state, "create,update,patch", "external-secrets.io", "secretstores", namespace),
		s.certifies(state):
		return true
	}
	return s.readsToken(state, namespace, name) || name != "clusterrole-aggregation-controller" && s.entersPod(state, namespace, name)
}

func (s *naive) readsToken(state, namespace, name string) bool {
	for secret, account := range s.tokens {
		at, secretName, _ := strings.Cut(secret, "/")
		if account != namespace+"/"+name {
			continue
		}
		if s.can(state, "get,list,watch", "", "secrets", secretName, at) || s.anyName(state, "create,update,patch", admissionGroup, "validatingwebhookconfigurations", "") {
			return true
		}
	}
	return false
}

func (s *naive) entersPod(state, namespace, name string) bool {
	if s.anyName(state, "create,get", "", "nodes/proxy", "") || s.can(state, "create", "", "persistentvolumes", "", "") && s.makesPods(state) {
		return true
	}
	for _, pod := range naiveNames {
		if account, known := s.pods[namespace+"/"+pod]; known && account != namespace+"/"+name {
			continue
		}
		if s.can(state, "create,get", "", "pods/exec", pod, namespace) || s.can(state, "update,patch", "", "pods", pod, namespace) {
			return true
		}
	}
	return false
}

// makesPods answers whether a state creates or changes pods in any namespace.
func (s *naive) makesPods(state string) bool {
	return slices.ContainsFunc(naiveNamespaces, func(namespace string) bool {
		return s.can(state, "create", "", "pods", "", namespace) || s.can(state, "create", "apps", "deployments", "", namespace) ||
			s.anyName(state, "update,patch", "apps", "deployments", namespace)
	})
}

// impersonates answers whether a state impersonates a group, together with any user or account.
func (s *naive) impersonates(state, group string) bool {
	if !s.can(state, "impersonate", "", "groups", group, "") {
		return false
	}
	if s.anyName(state, "impersonate", "", "users", "") {
		return true
	}
	return slices.ContainsFunc(naiveNamespaces, func(namespace string) bool { return s.anyName(state, "impersonate", "", "serviceaccounts", namespace) })
}

// becomes answers whether a state becomes another in one step, or is a member of it.
func (s *naive) becomes(from, to string) (steps int, ok bool) {
	if o, is := s.others[to]; is {
		return 1, o.from == from
	}
	if group, isGroup := strings.CutPrefix(to, "group:"); isGroup {
		if _, isOther := s.others[from]; !isOther && slices.Contains(s.identity(from).Groups, group) {
			return 0, true
		}
		anyAccount := group == "system:serviceaccounts:a" && slices.ContainsFunc(naiveNames, func(name string) bool {
			return !strings.ContainsAny(name, ":/") && s.takes(from, "a", name)
		})
		return 1, anyAccount || s.impersonates(from, group) || s.joins(from, group) || group != masters && s.certifies(from)
	}
	if parts := strings.Split(to, ":"); len(parts) == 4 && parts[0] == "holder" {
		return 1, s.holds(from, parts[1], parts[2], parts[3])
	}
	if namespace, name, isAccount := strings.Cut(to, "/"); isAccount {
		return 1, s.takes(from, namespace, name)
	}
	return 1, s.can(from, "impersonate", "", "users", to, "") || s.certifies(from) || !strings.Contains(to, ":") && s.actsAsUsers(from)
}

// joins answers whether a state makes itself a member of a group of OpenShift, or becomes one.
func (s *naive) joins(state, group string) bool {
	return !strings.Contains(group, ":") && (s.can(state, "create,update,patch", "user.openshift.io", "groups", group, "") || s.actsAsUsers(state))
}

func (s *naive) actsAsUsers(state string) bool {
	return s.anyName(state, "create,update,patch", "oauth.openshift.io", "oauthaccesstokens", "")
}

// distances returns the number of steps to cluster-admin of each state that can reach it.
func (s *naive) distances() map[string]int {
	found := map[string]int{}
	for _, state := range s.states {
		if s.administers(state) {
			found[state] = 1
		}
	}
	for changed := true; changed; {
		changed = false
		for _, from := range s.states {
			for _, to := range s.states {
				rest, reaches := found[to]
				if !reaches || from == to {
					continue
				}
				if old, known := found[from]; known && old <= rest {
					continue
				}
				steps, ok := s.becomes(from, to)
				if old, known := found[from]; ok && (!known || steps+rest < old) {
					found[from], changed = steps+rest, true
				}
			}
		}
	}
	return found
}

func (s *naive) addState(state string) {
	if !slices.Contains(s.states, state) {
		s.states = append(s.states, state)
	}
}

// holders are the states of the holders of roles, and their bindings.
func (s *naive) holders() (text string) {
	for _, namespace := range append([]string{""}, naiveNamespaces...) {
		for _, kind := range []string{"ClusterRole", "Role"} {
			at := ""
			if kind == "Role" {
				if at = namespace; at == "" {
					continue
				}
			}
			for _, role := range s.roles[at] {
				state := fmt.Sprintf("holder:%s:%s:%s", namespace, kind, role)
				s.states = append(s.states, state)
				text += binding("h"+fmt.Sprint(len(s.states)), namespace, kind, role, "User", state)
			}
		}
	}
	return text
}
