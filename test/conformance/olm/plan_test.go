package olm_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/server"
)

// The cells of `salint plan`, and what happens to an extension.
const (
	works  = "works"  // it is installed, and the API server does not warn
	warns  = "warns"  // it is installed, and the API server warns, if the release has the policy for it
	breaks = "breaks" // the API server rejects it, or OLM does not install it
)

// gateManifest is part of the Deployment of operator-controller, in which salint reads whether the gate is on.
const gateManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: operator-controller-controller-manager
  namespace: olmv1-system
spec:
  selector: {matchLabels: {app: operator-controller}}
  template:
    metadata: {labels: {app: operator-controller}}
    spec:
      containers:
        - name: manager
          image: quay.io/operator-framework/operator-controller:v1.10.0
          args: ["--feature-gates=GATE"]
`

// clusterOfPlan is a cluster for which the plan is made.
type clusterOfPlan struct {
	name   string
	target string // of the plan
	policy bool   // the release has the admission policy that warns about the field
	start  func(*story)
	want   map[string]string // by extension
}

var clustersOfPlan = []clusterOfPlan{
	{
		name: "v1.10 with the gate off", target: "olm-1.10",
		start: func(s *story) {
			s.write("controller.yaml", strings.ReplaceAll(gateManifest, "GATE", "SyntheticPermissions=false"))
			s.must(s.Run(s.ctx, olm.V1_10))
		},
		want: map[string]string{
			"bound": works, "unbound": breaks, "absent": breaks, "bare": breaks, "granted": breaks, "empty": breaks,
			"placeholder": breaks, "homeless": breaks, "misread": works,
		},
	},
	{
		name: "v1.10 with the gate on", target: "olm-1.10",
		start: func(s *story) {
			s.write("controller.yaml", strings.ReplaceAll(gateManifest, "GATE", syntheticPermissions))
			s.must(s.Run(s.ctx, olm.V1_10, syntheticPermissions))
			s.allowImpersonation()
		},
		want: map[string]string{
			"bound": works, "unbound": breaks, "absent": breaks, "bare": breaks, "granted": breaks, "empty": breaks,
			"placeholder": works, "homeless": breaks, "misread": breaks,
		},
	},
	{
		// The placeholder is how this cluster implements the model, so extensions that name it show nothing.
		name: "synthetic identities", target: "synthetic",
		start: func(s *story) {
			s.must(s.Run(s.ctx, proposed, syntheticPermissions))
			s.allowImpersonation()
			for _, namespace := range []string{"bare", "granted"} {
				s.must(s.Apply(s.ctx, server.Admin, "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+namespace+"}\n"))
				s.must(s.Apply(s.ctx, server.Admin, strings.ReplaceAll(placeholderAccount, "NAMESPACE", namespace)))
			}
		},
		want: map[string]string{
			"bound": warns, "unbound": breaks, "absent": breaks, "bare": breaks, "granted": works, "empty": breaks,
		},
	},
	{
		name: "v1.11", target: "olm-1.11", policy: true,
		start: func(s *story) {
			s.must(s.Run(s.ctx, olm.V1_11))
			s.awaitWarningFor("bound")
		},
		want: map[string]string{
			"bound": warns, "unbound": warns, "absent": warns, "bare": works, "granted": works, "empty": breaks,
			"placeholder": warns, "homeless": warns, "misread": warns,
		},
	},
}

// TestPlan applies extensions of all kinds to clusters with several releases. What `salint plan` prints for an extension is what
// then happens to it.
func TestPlan(t *testing.T) {
	for _, cluster := range clustersOfPlan {
		t.Run(cluster.name, func(t *testing.T) {
			s := begin(t, "plan", olm.V1_10, olm.V1_11)
			s.initGit()
			cluster.start(s)
			names := slices.Sorted(maps.Keys(cluster.want))
			s.publishFor(names...)
			cells := s.cells(cluster.target)
			happened := s.happens(names)
			for _, name := range names {
				want := cluster.want[name]
				happens := want == happened[name].status || want == warns && happened[name].status == works && !cluster.policy
				if !happens || cells[name].Status != want {
					t.Errorf("%s on %s, want %s\nthe plan: %v\nwhat happens: %v", name, cluster.name, want, cells[name], happened[name])
				}
			}
		})
	}
}

type cell struct{ Status, Reason string }

// cells returns the cells of the plan for a target by extension.
func (s *story) cells(target string) map[string]cell {
	s.t.Helper()
	var plan struct {
		Extensions []struct {
			Name  string
			Cells []cell
		}
	}
	out := s.salint("plan", "--targets", target, "--format", "json")
	if err := json.Unmarshal([]byte(out), &plan); err != nil {
		s.t.Fatalf("%v in\n%s", err, out)
	}
	cells := map[string]cell{}
	for _, extension := range plan.Extensions {
		if len(extension.Cells) != 1 {
			s.t.Fatalf("extension %s has %d cells for target %s", extension.Name, len(extension.Cells), target)
		}
		cells[extension.Name] = extension.Cells[0]
	}
	return cells
}

// outcome is what happened to an extension.
type outcome struct{ status, why string }

// happens applies the manifests of extensions, each of which has the name of its file, and waits until OLM has installed
// them, or failed.
func (s *story) happens(names []string) map[string]outcome {
	s.t.Helper()
	outcomes := map[string]outcome{}
	var others []string
	for _, name := range names {
		documents := strings.Split(s.read(name+".yaml"), "\n---\n")
		others = append(others, documents[:len(documents)-1]...)
	}
	s.applyDocuments(others)
	s.must(s.Settle(s.ctx))
	for _, name := range names {
		warnings, err := s.KubectlWarnings(s.ctx, server.Admin, s.extensionOf(name), "apply", "--server-side", "--filename=-")
		switch {
		case err != nil:
			outcomes[name] = outcome{breaks, err.Error()}
		case warnings != "":
			outcomes[name] = outcome{warns, warnings}
		default:
			outcomes[name] = outcome{works, ""}
		}
	}
	for _, name := range names {
		if outcomes[name].status == breaks {
			continue
		}
		failure, err := s.AwaitOutcome(s.ctx, name, "1.0.0")
		s.must(err)
		if failure != "" {
			outcomes[name] = outcome{breaks, failure}
		}
	}
	return outcomes
}

// extensionOf returns the manifest of an extension, which is the last one of a file with its name.
func (s *story) extensionOf(name string) string {
	s.t.Helper()
	documents := strings.Split(s.read(name+".yaml"), "\n---\n")
	return documents[len(documents)-1]
}

// awaitWarningFor waits until the admission policy of the release warns about an extension, which it does some time after it
// was applied.
func (s *story) awaitWarningFor(name string) {
	s.t.Helper()
	s.must(wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		warnings, err := s.KubectlWarnings(ctx, server.Admin, s.extensionOf(name), "apply", "--server-side", "--dry-run=server", "--filename=-")
		return strings.Contains(warnings, deprecated), err
	}))
}
