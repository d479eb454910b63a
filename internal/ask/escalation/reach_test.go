package escalation

import (
	"testing"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
)

// boundTo is a ClusterRole with a rule, granted to a subject.
func boundTo(name, subject, rule string) string {
	return "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: " + name + "}\nrules: [" + rule + "]\n" +
		"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: " + name + "}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + name + "}\nsubjects: [" + subject + "]\n"
}

func TestReachOfAdmin(t *testing.T) {
	t.Parallel()
	account := objects.Account{Namespace: "ns", Name: "a"}
	const subject, group = "{kind: ServiceAccount, name: a, namespace: ns}", "{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "
	tests := []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", false},
		{"everything", boundTo("r", subject, can(`"*"`, "*", "*")), true},
		{"impersonation of users and groups", boundTo("r", subject, rules(can("impersonate", "", "users"), can("impersonate", "", "groups"))), true},
		{"impersonation of groups alone", boundTo("r", subject, can("impersonate", "", "groups")), false},
		{"all Secrets, with a powerful account", powerful + boundTo("r", subject, can(`"*"`, "", "secrets")), true},
		{"reading ConfigMaps", powerful + boundTo("r", subject, can("get", "", "configmaps")), false},
		{"by the group of its namespace", boundTo("r", group+`"system:serviceaccounts:ns"}`, rules(can("impersonate", "", "users"), can("impersonate", "", "groups"))), true},
		{"by the group of another namespace", boundTo("r", group+`"system:serviceaccounts:other"}`, can(`"*"`, "*", "*")), false},
		{"by the group of all accounts", boundTo("r", group+`"system:serviceaccounts"}`, can(`"*"`, "*", "*")), true},
		{"by the group of all users", boundTo("r", group+`"system:authenticated"}`, can(`"*"`, "*", "*")), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u := &objects.Unit{}
			if test.text != "" {
				u = unit(t, test.text)
			}
			if got := ReachOfAdmin(&loader.Repository{}, u, u).Has(account); got != test.want {
				t.Errorf("Has(%v) = %v, want %v", account, got, test.want)
			}
		})
	}
}
