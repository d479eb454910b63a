package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/server"
	"github.com/salint/salint/test/conformance/world"
)

// impersonated are the identities that the accounts of TestImpersonation act as, and what those may do.
const impersonated = `{apiVersion: v1, kind: Namespace, metadata: {name: impersonated}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: actors}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: settings}, rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list, create]}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: settings}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: settings}
subjects:
  - {kind: ServiceAccount, name: app, namespace: impersonated}
  - {apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: crew}
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:nodes"}
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:masters"}
`

const modesGroup = "authentication.k8s.io"

// attempt is a request that an account sends as another identity.
type attempt struct {
	mode    string // of constrained impersonation, for such an identity; "" is none
	as      rest.ImpersonationConfig
	request world.Request
}

var targets = []attempt{
	{mode: "serviceaccount", as: rest.ImpersonationConfig{UserName: "system:serviceaccount:impersonated:app"}},
	{mode: "serviceaccount", as: rest.ImpersonationConfig{UserName: "system:serviceaccount:impersonated:idle"}},
	// No mode: with constraints, an account has its own groups.
	{as: rest.ImpersonationConfig{UserName: "system:serviceaccount:impersonated:app", Groups: []string{"crew"}}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "jane"}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "nobody", Groups: []string{"crew"}}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "nobody", Groups: []string{"crew", "b", "c", "d"}}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "nobody", Groups: []string{"system:masters"}}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "jane", UID: "1"}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "jane", Extra: map[string][]string{"example.com/team": {"red"}}}},
	{mode: "user-info", as: rest.ImpersonationConfig{UserName: "jane", Extra: map[string][]string{"example.com/team": {"a", "b", "c", "d"}}}},
	{mode: "arbitrary-node", as: rest.ImpersonationConfig{UserName: "system:node:one"}},
}

// TestImpersonation gives accounts random permissions to act as others, with constraints and without. The API server must accept exactly
// those requests for which salint allows every question that the API server asks.
func TestImpersonation(t *testing.T) {
	s := start(t)
	r := rand.New(rand.NewPCG(*seed, 5284))
	attempts := make([]attempt, 5**runs)
	text := impersonated
	for i := range attempts {
		attempts[i] = newAttempt(r)
		text += actor(r, i, attempts[i])
	}
	t.Cleanup(func() {
		if err := s.Delete(running, text); err != nil {
			t.Error(err)
		}
	})
	apply(t, s, text)
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	unit, err := salint.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for i, a := range attempts {
		who := world.Account("actors", actorName(i))
		got, err := send(t.Context(), s, actorName(i), a)
		if err != nil {
			t.Fatal(err)
		}
		if want := a.allowed(unit, who); got != want {
			t.Errorf("-seed %d -runs %d: account %d as %+v for %+v: the API server accepts it: %t, salint: %t\n%s", *seed, *runs, i, a.as, a.request, got, want, manifestsOf(text, i))
		}
		if got {
			accepted++
		}
	}
	if accepted*10 < len(attempts) || accepted*10 > 9*len(attempts) {
		t.Errorf("%d of %d requests are accepted: the permissions are not random enough", accepted, len(attempts))
	}
}

func newAttempt(r *rand.Rand) attempt {
	a := targets[r.IntN(len(targets))]
	a.request = world.Request{Verb: pick(r, "get", "list", "create"), Resource: pick(r, "configmaps", "configmaps", "configmaps", "secrets"), Namespace: "impersonated"}
	if a.request.Verb == "get" {
		a.request.Name = "one"
	}
	return a
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func actorName(i int) string { return fmt.Sprintf("actor-%d", i) }

// actor is an account with nearly what an attempt needs: some of it is missing, too wide, too narrow, or in a namespace.
func actor(r *rand.Rand, i int, a attempt) string {
	verb, group := "impersonate:"+a.mode, modesGroup
	on := []string{"impersonate-on:" + a.mode + ":" + a.request.Verb}
	switch r.IntN(8) {
	case 0:
		verb, group = "impersonate", `""`
	case 1:
		verb, group = "'*'", pick(r, `""`, modesGroup, "'*'")
	case 2:
		on = []string{pick(r, "*", "impersonate-on:"+a.mode+":*", "impersonate-on:*", "impersonate-on:user-info:"+a.request.Verb, a.request.Verb)}
	}
	rules := []string{fmt.Sprintf(`{apiGroups: [""], resources: [%s], verbs: ["%s"]}`, a.request.Resource, strings.Join(on, `", "`))}
	for _, q := range a.identity(verb) {
		names := ""
		switch r.IntN(6) {
		case 0, 1, 2:
			names = fmt.Sprintf(", resourceNames: [%q]", q.Name)
		case 3:
			names = fmt.Sprintf(", resourceNames: [%q]", pick(r, "*", "other"))
		}
		resource := q.Resource
		if q.Subresource != "" {
			resource += "/" + q.Subresource
		}
		of := group
		if q.Group != "" && group == `""` { // UIDs and extras have the same group in every mode
			of = q.Group
		}
		rules = append(rules, fmt.Sprintf(`{apiGroups: [%s], resources: [%q], verbs: [%q]%s}`, of, resource, strings.Trim(verb, "'"), names))
	}
	if r.IntN(4) == 0 {
		rules = slices.Delete(rules, 0, 1)
	}
	at := pick(r, "", "", "", "", "impersonated", "actors")
	return grantTo(i, rules, at)
}

func grantTo(i int, rules []string, namespace string) string {
	kind, in := "ClusterRoleBinding", ""
	if namespace != "" {
		kind, in = "RoleBinding", ", namespace: "+namespace
	}
	return fmt.Sprintf(`---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: %[1]s, namespace: actors}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: %[1]s}, rules: [%[2]s]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: %[3]s, metadata: {name: %[1]s%[4]s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[1]s}, subjects: [{kind: ServiceAccount, name: %[1]s, namespace: actors}]}
`, actorName(i), strings.Join(rules, ", "), kind, in)
}

// manifestsOf are those that name an account.
func manifestsOf(text string, i int) string {
	var list []string
	for _, doc := range strings.Split(text, "---\n") {
		if strings.Contains(doc, "name: "+actorName(i)+",") || strings.Contains(doc, "name: "+actorName(i)+"}") {
			list = append(list, doc)
		}
	}
	return strings.Join(list, "")
}

// identity lists what the API server asks about the identity of an attempt, with the verb of a mode.
func (a attempt) identity(verb string) []world.Request {
	group := modesGroup
	if verb == "impersonate" {
		group = ""
	}
	user := world.Request{Verb: verb, Group: group, Resource: "users", Name: a.as.UserName}
	if account, ok := objects.ParseUser(a.as.UserName); ok {
		user.Resource, user.Namespace, user.Name = "serviceaccounts", account.Namespace, account.Name
	}
	if node, ok := strings.CutPrefix(a.as.UserName, "system:node:"); ok && verb != "impersonate" {
		user.Resource, user.Name = "nodes", node
	}
	asked := []world.Request{user}
	if a.as.UID != "" {
		asked = append(asked, world.Request{Verb: verb, Group: modesGroup, Resource: "uids", Name: a.as.UID})
	}
	for _, name := range a.as.Groups {
		asked = append(asked, world.Request{Verb: verb, Group: group, Resource: "groups", Name: name})
	}
	for key, values := range a.as.Extra {
		for _, value := range values {
			asked = append(asked, world.Request{Verb: verb, Group: modesGroup, Resource: "userextras", Subresource: key, Name: value})
		}
	}
	return asked
}

// allowed reports whether salint allows the questions of one of the modes, and the request to the identity that results.
func (a attempt) allowed(u *objects.Unit, who world.Identity) bool {
	can := func(r world.Request) bool { return salint.Ask(u, who, r).Allowed }
	on := a.request
	on.Verb = "impersonate-on:" + a.mode + ":" + on.Verb
	if a.mode != "" && can(on) && !slices.Contains(a.as.Groups, "system:masters") && a.mayBe(can, "impersonate:"+a.mode) {
		return salint.Ask(u, a.becomes(true), a.request).Allowed
	}
	if !a.mayBe(can, "impersonate") {
		return false
	}
	// The API server allows the group everything before it reads bindings.
	return slices.Contains(a.as.Groups, "system:masters") || salint.Ask(u, a.becomes(false), a.request).Allowed
}

// many is from how many groups, or values of extras, a constrained mode asks once for all of them, with the name "*".
const many = 4

func (a attempt) mayBe(can func(world.Request) bool, verb string) bool {
	all := func(resource, subresource string) bool {
		return verb != "impersonate" && can(world.Request{Verb: verb, Group: modesGroup, Resource: resource, Subresource: subresource, Name: "*"})
	}
	values := 0
	for _, list := range a.as.Extra {
		values += len(list)
	}
	for _, q := range a.identity(verb) {
		switch {
		case q.Resource == "groups" && len(a.as.Groups) >= many && all("groups", ""):
		case q.Resource == "userextras" && values >= many && all("userextras", "*"):
		case !can(q):
			return false
		}
	}
	return true
}

// becomes is the identity with the groups that the API server adds.
func (a attempt) becomes(constrained bool) world.Identity {
	groups := slices.Clone(a.as.Groups)
	if account, ok := objects.ParseUser(a.as.UserName); ok && len(groups) == 0 {
		return world.Account(account.Namespace, account.Name)
	}
	if constrained && a.mode == "arbitrary-node" {
		groups = append(groups, "system:nodes")
	}
	return world.Identity{User: a.as.UserName, Groups: append(groups, "system:authenticated")}
}

// send sends the request of an attempt with a token of an account; accepted is false if the API server forbids it.
func send(ctx context.Context, s *server.Server, account string, a attempt) (accepted bool, err error) {
	token, err := s.Client.CoreV1().ServiceAccounts("actors").CreateToken(ctx, account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	config := rest.CopyConfig(s.Config)
	config.BearerToken, config.Impersonate = token.Status.Token, a.as
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return false, err
	}
	core := client.CoreV1().RESTClient()
	switch a.request.Verb {
	case "create":
		body := fmt.Sprintf(`{"apiVersion": "v1", "kind": %q, "metadata": {"generateName": "tried-"}}`, map[string]string{"configmaps": "ConfigMap", "secrets": "Secret"}[a.request.Resource])
		err = core.Post().Namespace(a.request.Namespace).Resource(a.request.Resource).Param("dryRun", "All").Body([]byte(body)).SetHeader("Content-Type", "application/json").Do(ctx).Error()
	default:
		get := core.Get().Namespace(a.request.Namespace).Resource(a.request.Resource)
		if a.request.Name != "" {
			get = get.Name(a.request.Name)
		}
		err = get.Do(ctx).Error()
	}
	switch {
	case errors.IsForbidden(err):
		return false, nil
	case err == nil || errors.IsNotFound(err):
		return true, nil
	}
	return false, err
}
