package rbac_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestReach(t *testing.T) {
	t.Parallel()
	account := func(namespace, name string) rbac.Subject {
		return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: namespace, Name: name}
	}
	user := func(name string) rbac.Subject { return rbac.Subject{Kind: rbac.KindUser, Name: name} }
	group := func(name string) rbac.Subject { return rbac.Subject{Kind: rbac.KindGroup, Name: name} }
	const certain, uncertain, not = "reached", "perhaps", "not"
	tests := []struct {
		name    string
		subject string // as written, in a ClusterRoleBinding
		asked   rbac.Subject
		want    string // and the group after a space
	}{
		{"an account", "{kind: ServiceAccount, namespace: ns, name: sa}", account("ns", "sa"), certain},
		{"an account of another namespace", "{kind: ServiceAccount, namespace: other, name: sa}", account("ns", "sa"), not},
		{"an account of another name", "{kind: ServiceAccount, namespace: ns, name: sb}", account("ns", "sa"), not},
		{"a subject without a namespace", "{kind: ServiceAccount, name: sa}", account("ns", "sa"), uncertain},
		{"an account without a namespace", "{kind: ServiceAccount, namespace: ns, name: sa}", account("", "sa"), uncertain},
		{"an account by its user name", "{kind: User, name: 'system:serviceaccount:ns:sa'}", account("ns", "sa"), certain},
		{"an account requested by its user name", "{kind: ServiceAccount, namespace: ns, name: sa}", user("system:serviceaccount:ns:sa"), certain},
		{"a user name of another namespace", "{kind: User, name: 'system:serviceaccount:x:sa'}", account("ns", "sa"), not},
		{"the empty apiGroup of an account", "{kind: ServiceAccount, apiGroup: '', namespace: ns, name: sa}", account("ns", "sa"), certain},
		{"a wrong apiGroup of an account", "{kind: ServiceAccount, apiGroup: rbac.authorization.k8s.io, namespace: ns, name: sa}", account("ns", "sa"), not},
		{"all accounts", "{kind: Group, name: 'system:serviceaccounts'}", account("ns", "sa"), certain + " system:serviceaccounts"},
		{"the accounts of the namespace", "{kind: Group, name: 'system:serviceaccounts:ns'}", account("ns", "sa"), certain + " system:serviceaccounts:ns"},
		{"the accounts of another namespace", "{kind: Group, name: 'system:serviceaccounts:x'}", account("ns", "sa"), not},
		{"the accounts of some namespace", "{kind: Group, name: 'system:serviceaccounts:x'}", account("", "sa"), uncertain + " system:serviceaccounts:x"},
		{"everybody", "{kind: Group, name: 'system:authenticated'}", account("ns", "sa"), certain + " system:authenticated"},
		{"a user", "{kind: User, apiGroup: rbac.authorization.k8s.io, name: jane}", user("jane"), certain},
		{"a user without apiGroup", "{kind: User, name: jane}", user("jane"), certain},
		{"a user with a wrong apiGroup", "{kind: User, apiGroup: v1, name: jane}", user("jane"), not},
		{"a user is not a group", "{kind: Group, name: jane}", user("jane"), not},
		{"system:authenticated as a user", "{kind: Group, name: 'system:authenticated'}", user("jane"), certain + " system:authenticated"},
		{"system:authenticated does not include system:anonymous", "{kind: Group, name: 'system:authenticated'}", user("system:anonymous"), not},
		{"the group of accounts does not include users", "{kind: Group, name: 'system:serviceaccounts'}", user("jane"), not},
		{"the synthetic user", "{kind: User, name: 'olm:clusterextension:argocd'}", user(olm.User("argocd")), certain},
		{"the synthetic group", "{kind: Group, name: 'olm:clusterextensions'}", user(olm.User("argocd")), certain + " olm:clusterextensions"},
		{"the group of accounts does not include synthetic users", "{kind: Group, name: 'system:serviceaccounts'}", user(olm.User("argocd")), not},
		{"a group", "{kind: Group, name: admins}", group("admins"), certain},
		{"a group is in no other", "{kind: Group, name: 'system:authenticated'}", group("admins"), not},
		{"a group with a wrong apiGroup", "{kind: Group, apiGroup: example.com, name: admins}", group("admins"), not},
		{"an unknown kind", "{kind: Robot, name: sa}", account("ns", "sa"), not},
		{"no name", "{kind: ServiceAccount, namespace: ns}", account("ns", ""), not},
		{"no mapping", "sa", account("ns", "sa"), not},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u := objectstest.Plain(t, tree{"a.yaml": clusterBinding("b", "ClusterRole, name: r", test.subject)})
			got := not
			for _, b := range rbac.BindingsOf(u, nil, test.asked) {
				got = certain
				if b.Uncertain {
					got = uncertain
				}
				got = strings.TrimSpace(got + " " + b.Via)
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// naiveReaches is the authorizer's question about one subject: is it the user, or a group of the user?
func naiveReaches(s rbac.Subject, b rbac.Subject) bool {
	if b.Kind == rbac.KindGroup {
		in := s.Kind == rbac.KindGroup && s.Name == b.Name
		for _, group := range s.Groups() {
			in = in || group == b.Name
		}
		return in || s.Kind == rbac.KindServiceAccount && s.Namespace == "" && strings.HasPrefix(b.Name, "system:serviceaccounts:")
	}
	mine, isMine := accountOf(s)
	other, isOther := accountOf(b)
	if isMine || isOther {
		return isMine && isOther && mine.Matches(other)
	}
	return s.Kind == b.Kind && s.Name == b.Name
}

func accountOf(s rbac.Subject) (objects.Account, bool) {
	if s.Kind == rbac.KindServiceAccount {
		return objects.Account{Namespace: s.Namespace, Name: s.Name}, true
	}
	return objects.ParseUser(s.Name)
}

func TestBindingsOfAgainstAScan(t *testing.T) {
	t.Parallel()
	subjects := []rbac.Subject{
		{Kind: rbac.KindServiceAccount, Namespace: "x", Name: "a"},
		{Kind: rbac.KindServiceAccount, Namespace: "y", Name: "a"},
		{Kind: rbac.KindServiceAccount, Name: "a"},
		{Kind: rbac.KindServiceAccount, Namespace: "x", Name: "b"},
		{Kind: rbac.KindUser, Name: "system:serviceaccount:x:a"},
		{Kind: rbac.KindUser, Name: "jane"},
		{Kind: rbac.KindUser, Name: olm.User("e")},
		{Kind: rbac.KindGroup, Name: "jane"},
		{Kind: rbac.KindGroup, Name: olm.Group},
		{Kind: rbac.KindGroup, Name: "system:authenticated"},
		{Kind: rbac.KindGroup, Name: "system:serviceaccounts"},
		{Kind: rbac.KindGroup, Name: "system:serviceaccounts:x"},
		{Kind: rbac.KindGroup, Name: "system:serviceaccounts:y"},
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var text strings.Builder
		var written [][]rbac.Subject
		for i := range 1 + r.IntN(8) {
			var inBinding []rbac.Subject
			var flow []string
			for range r.IntN(4) {
				s := subjects[r.IntN(len(subjects))]
				inBinding = append(inBinding, s)
				flow = append(flow, fmt.Sprintf("{kind: %s, namespace: %q, name: %q}", s.Kind, s.Namespace, s.Name))
			}
			written = append(written, inBinding)
			text.WriteString(clusterBinding(fmt.Sprint("b", i), "ClusterRole, name: r", strings.Join(flow, ", ")))
		}
		u := objectstest.Plain(t, tree{"a.yaml": text.String()})
		for _, asked := range subjects {
			var want, got []string
			for i, inBinding := range written {
				for k, s := range inBinding {
					if naiveReaches(asked, s) {
						want = append(want, fmt.Sprintf("b%d %d", i, k))
					}
				}
			}
			for _, b := range rbac.BindingsOf(u, nil, asked) {
				got = append(got, fmt.Sprintf("%s %d", b.Object.Name, b.SubjectIndex))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %v: %s", seed, asked, diff)
			}
		}
	}
}
