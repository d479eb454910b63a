package fleetplan

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		{name: "unknown", of: fleet.Extension{Account: "named", Model: "unknown"}, want: TargetUnknown},
		{name: "several targets", of: fleet.Extension{Account: "absent", Model: ""}, want: TargetUnknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wave, reason := waveOf(test.of)
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
