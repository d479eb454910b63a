package fleetplan

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/fleet"
	"github.com/salint/salint/test/jsonschema"
)

func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{
		Name: "fleet-plan", Title: "salint plan --reports DIR --format json", Of: reflect.TypeFor[jsonPlan](),
		Descriptions: jsonschema.Documented(t, "../../../docs/fleet.md", "### Plans for a fleet in JSON"),
	})
}

func TestWaves(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		of        fleet.Extension
		want      Wave
		hasReason bool
		untold    string
	}{
		{name: "ignored, with a fix", of: fleet.Extension{Account: "named", Model: "ignored", Deprecated: true, Fix: "safe"}, want: Now},
		{name: "removed, with a fix", of: fleet.Extension{Account: "named", Model: "removed", Deprecated: true, Fix: "safe"}, want: Now},
		{name: "ignored, without a fix", of: fleet.Extension{Account: "named", Model: "ignored", Deprecated: true}, want: Now, hasReason: true},
		{name: "ignored, silenced", of: fleet.Extension{Account: "named", Model: "ignored"}, want: Now, hasReason: true},
		{name: "synthetic, not reported", of: fleet.Extension{Account: "named", Model: "synthetic"}, want: Now, hasReason: true},
		{name: "a placeholder", of: fleet.Extension{Account: "templated", Model: "ignored"}, want: Now, hasReason: true},
		{name: "required", of: fleet.Extension{Account: "named", Model: "required"}, want: ClusterFirst},
		{name: "required, without an account", of: fleet.Extension{Account: "absent", Model: "required"}, want: ClusterFirst, hasReason: true},
		{name: "without an account", of: fleet.Extension{Account: "absent", Model: "ignored"}, want: Done},
		{name: "null", of: fleet.Extension{Account: "null", Model: "synthetic"}, want: Done},
		{name: "fixed, of a limited run", of: fleet.Extension{Account: "named", Model: "ignored", Deprecated: true, Fix: "safe"}, untold: "limited", want: Now},
		{name: "not reported by a limited run", of: fleet.Extension{Account: "named", Model: "ignored"}, untold: "limited", want: Now, hasReason: true},
		{name: "no state of the account", of: fleet.Extension{Model: "ignored"}, want: TargetUnknown, hasReason: true},
		{name: "another state of the account", of: fleet.Extension{Account: "borrowed", Model: "ignored"}, want: TargetUnknown, hasReason: true},
		{name: "another state, required", of: fleet.Extension{Account: "borrowed", Model: "required"}, want: TargetUnknown, hasReason: true},
		{name: "unknown", of: fleet.Extension{Account: "named", Model: "unknown"}, want: TargetUnknown},
		{name: "several targets", of: fleet.Extension{Account: "absent", Model: ""}, want: TargetUnknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wave, reason := waveOf(test.of, test.untold)
			if wave != test.want || (reason != "") != test.hasReason {
				t.Errorf("%s (%s), want %s", wave, reason, test.want)
			}
		})
	}
}

func TestRepositoriesOfSeveralReports(t *testing.T) {
	t.Parallel()
	f := &fleet.Fleet{Repositories: []*fleet.Repository{
		{Name: "b", Target: "olm-1.11", Extensions: []fleet.Extension{
			{Name: "x", Namespace: "ns", Package: "p", Channels: []string{"stable"}, Account: "named", ServiceAccount: "installer", Model: "ignored"},
		}},
		{Name: "b", Target: "olm-1.10", Extensions: []fleet.Extension{
			{Name: "x", Namespace: "ns", Package: "p", Channels: []string{"stable"}, Account: "named", ServiceAccount: "installer", Model: "required"},
		}},
		{Name: "a", Chains: &fleet.Chains{Unknown: []string{"something"}}},
	}}
	all := Of(f).Repositories()
	if len(all) != 2 || all[0].Name != "a" || all[1].Name != "b" {
		t.Fatalf("repositories %v", all)
	}
	if diff := cmp.Diff(map[Wave]int{Now: 1, ClusterFirst: 1}, all[1].Counts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"p", "p stable", "ns/installer", "something"}, []string{all[1].Packages[0], all[1].Channels[0], all[1].Accounts[0], all[0].Unknown[0]}); diff != "" {
		t.Error(diff)
	}
}

// Two reports of a repository repeat each way, in whatever order their findings are.
func TestWaysOfSeveralReports(t *testing.T) {
	t.Parallel()
	anonymous := fleet.Way{Rule: "rbac/anonymous-access", Subject: "Group system:unauthenticated", Message: "Everyone has it", File: "a.yaml", Line: 9}
	subject := finding.Subject{Kind: "Group", Name: "system:unauthenticated"}
	f := &fleet.Fleet{}
	for _, target := range []string{"olm-1.10", "olm-1.11"} {
		f.Repositories = append(f.Repositories, &fleet.Repository{Name: "a", Target: target, Ways: []fleet.Way{anonymous}})
		f.Admins = append(f.Admins, fleet.Admin{Subject: subject, Repository: "a", Target: target, Binding: "ClusterRoleBinding b", File: "a.yaml", Line: 9, Rule: "rbac/cluster-admin-grant"})
	}
	f.Repositories[1].Ways = append(f.Repositories[1].Ways, fleet.Way{Rule: "rbac/anonymous-access", Subject: anonymous.Subject, Message: "Everyone can write", File: "a.yaml", Line: 9})
	var got []string
	for _, way := range Of(f).Ways {
		got = append(got, way.Kind+" "+way.Steps[0])
	}
	want := []string{"grant ClusterRoleBinding b grants cluster-admin", "rule Everyone can write", "rule Everyone has it"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
