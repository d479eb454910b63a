package permission

import (
	"testing"

	"github.com/salint/salint/internal/kube/rbac"
)

func TestUnlimited(t *testing.T) {
	t.Parallel()
	account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "ns", Name: "installer"}
	const admin = "; OLM acts as its own account, a cluster-admin"
	tests := []struct {
		entry Unlimited
		want  string
	}{
		{Unlimited{Rules: 12}, "12 rules of ServiceAccount ns/installer no longer limit it" + admin},
		{Unlimited{Rules: 1}, "1 rule of ServiceAccount ns/installer no longer limits it" + admin},
		{Unlimited{Rules: 2, Roles: 1, Doubtful: true}, "at most 2 rules and 1 role with unknown rules of ServiceAccount ns/installer no longer limit it" + admin},
		{Unlimited{}, "ServiceAccount ns/installer, to which the repository grants nothing, no longer limits it" + admin},
		{
			Unlimited{Elsewhere: []string{"the Argo CD Application argocd/rbac"}, Renamed: []string{"lab/installer"}},
			"ServiceAccount ns/installer, which only the Argo CD Application argocd/rbac binds, no longer limits it" + admin,
		},
		{
			Unlimited{Elsewhere: []string{"a", "b", "c", "d"}},
			"ServiceAccount ns/installer, which only other deployment units bind (a, b, c, and 1 more), no longer limits it" + admin,
		},
		{
			Unlimited{Renamed: []string{"ServiceAccount ns/lab-installer"}},
			"ServiceAccount ns/installer, whose bindings are applied for another account (ServiceAccount ns/lab-installer), no longer limits it" + admin,
		},
		{Unlimited{Rules: 2, Admin: true}, "ServiceAccount ns/installer did not limit it either, as a cluster-admin" + admin},
		{
			Unlimited{Roles: 1, OwnRestricted: true}, "1 role with unknown rules of ServiceAccount ns/installer no longer limits it; " +
				"OLM acts as its own account, which the repository does not show as a cluster-admin",
		},
	}
	for _, test := range tests {
		test.entry.Name, test.entry.Account = "harbor", account
		if got, want := test.entry.String(), "ClusterExtension harbor: "+test.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestUnlimitedInSeveralUnits(t *testing.T) {
	t.Parallel()
	in := func(folder string) Report {
		return Report{Unlimited: []Unlimited{{Name: "harbor", Rules: 3, Context: Context{Kustomizations: []string{folder}}}}}
	}
	merged := Merge(in("a"), in("b"))
	if len(merged.Unlimited) != 1 || len(merged.Unlimited[0].Kustomizations) != 2 {
		t.Errorf("the units of one entry are not merged: %+v", merged.Unlimited)
	}
	if next := merged.Follow(Report{}); len(next.Unlimited) != 1 {
		t.Errorf("a second run loses the entry: %+v", next.Unlimited)
	}
}
