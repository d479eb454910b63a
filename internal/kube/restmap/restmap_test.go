package restmap_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/restmap"
)

func TestKind(t *testing.T) {
	tests := map[string]struct {
		group, kind string
		want        restmap.Resource
	}{
		"core":        {"", "Pod", restmap.Resource{Kind: "Pod", Plural: "pods", Singular: "pod", Short: []string{"po"}, Namespaced: true}},
		"odd plural":  {"", "Endpoints", restmap.Resource{Kind: "Endpoints", Plural: "endpoints", Singular: "endpoints", Short: []string{"ep"}, Namespaced: true}},
		"cluster":     {"rbac.authorization.k8s.io", "ClusterRole", restmap.Resource{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Plural: "clusterroles", Singular: "clusterrole", Short: []string{}}},
		"an ending":   {"networking.k8s.io", "NetworkPolicy", restmap.Resource{Group: "networking.k8s.io", Kind: "NetworkPolicy", Plural: "networkpolicies", Singular: "networkpolicy", Short: []string{"netpol"}, Namespaced: true}},
		"an addition": {"olm.operatorframework.io", "ClusterExtension", restmap.Resource{Group: "olm.operatorframework.io", Kind: "ClusterExtension", Plural: "clusterextensions", Singular: "clusterextension", Short: []string{}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := restmap.New().Kind(test.group, test.kind)
			if diff := cmp.Diff(test.want, got); diff != "" || !ok {
				t.Errorf("found %v, -want +got:\n%s", ok, diff)
			}
		})
	}
	for _, unknown := range [][2]string{{"", "Deployment"}, {"apps", "deployment"}, {"example.com", "Widget"}, {"", ""}} {
		if got, ok := restmap.New().Kind(unknown[0], unknown[1]); ok {
			t.Errorf("%v is served as %v", unknown, got)
		}
	}
}

// TestArgument compares with kubectl's results on a cluster with these extensions.
func TestArgument(t *testing.T) {
	tests := map[string]string{
		"pods": "pods.", "pod": "pods.", "po": "pods.", "Pod": "pods.", "PODS": "pods.",
		"deploy": "deployments.apps", "deployments.apps": "deployments.apps", "deployment.apps": "deployments.apps",
		"Deployment":                      "deployments.apps",
		"deployments.v1.apps":             "deployments.apps",
		"deploy.apps":                     "deployments.apps",
		"pods.v1.":                        "pods.",
		"pods.":                           "pods.",
		"events":                          "events.", // of the core group, not of events.k8s.io
		"events.events.k8s.io":            "events.events.k8s.io",
		"ingress":                         "ingresses.networking.k8s.io", // Kubernetes' own before OpenShift's
		"ingresses.config.openshift.io":   "ingresses.config.openshift.io",
		"storageclass.storage":            "storageclasses.storage.k8s.io",
		"sc":                              "storageclasses.storage.k8s.io",
		"ip":                              "ipaddresses.networking.k8s.io",
		"consoles":                        "consoles.config.openshift.io", // groups of extensions by name
		"nodes.metrics.k8s.io":            "nodes.metrics.k8s.io",
		"clusterextension":                "clusterextensions.olm.operatorframework.io",
		"clusterextensions.olm":           "clusterextensions.olm.operatorframework.io",
		"sa":                              "serviceaccounts.",
		"quota":                           "resourcequotas.",
		"roles.rbac.authorization.k8s.io": "roles.rbac.authorization.k8s.io",
		"roles":                           "roles.rbac.authorization.k8s.io",
		"widgets":                         "", "deployments.batch": "", "": "", ".": "", ".apps": "", "pods.v1": "", "*": "",
	}
	m := restmap.New()
	for arg, want := range tests {
		got, ok := m.Argument(arg)
		name := ""
		if ok {
			name = got.Plural + "." + got.Group
		}
		if name != want {
			t.Errorf("%q is %q, want %q", arg, name, want)
		}
	}
}

func definition(group, kind, plural, scope string, short ...any) map[string]any {
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"spec": map[string]any{"group": group, "scope": scope,
			"names": map[string]any{"kind": kind, "plural": plural, "shortNames": short}},
	}
}

func TestAddCRD(t *testing.T) {
	m := restmap.New()
	m.AddCRD(definition("shop.example.com", "Till", "tills", "Namespaced", "ti", 3))
	m.AddCRD(definition("shop.example.com", "Shelf", "shelves", "Cluster"))
	m.AddCRD(definition("a.example.com", "Shelf", "shelves", "Cluster"))
	want := restmap.Resource{Group: "shop.example.com", Kind: "Till", Plural: "tills", Singular: "till", Short: []string{"ti"}, Namespaced: true}
	for _, arg := range []string{"till", "ti", "Till", "tills.shop", "tills.shop.example.com"} {
		if got, _ := m.Argument(arg); !cmp.Equal(want, got) {
			t.Errorf("%q: -want +got:\n%s", arg, cmp.Diff(want, got))
		}
	}
	if got, _ := m.Argument("shelf"); got.Group != "a.example.com" {
		t.Errorf("a shelf is %v, want that of the first group by name", got)
	}
	if _, ok := restmap.New().Kind("shop.example.com", "Till"); ok {
		t.Error("a definition of one map is known to another")
	}
}

func TestAddCRDAgain(t *testing.T) {
	m := restmap.New()
	m.AddCRD(definition("shop.example.com", "Till", "tills", "Namespaced", "ti"))
	m.AddCRD(definition("shop.example.com", "Till", "registers", "Cluster"))
	if _, ok := m.Argument("tills"); ok {
		t.Error("what an earlier definition called the kind is still known")
	}
	if got, _ := m.Kind("shop.example.com", "Till"); got.Plural != "registers" || got.Namespaced {
		t.Errorf("the later definition does not count: %v", got)
	}
	m.AddCRD(definition("operators.coreos.com", "Subscription", "subscriptions", "Cluster"))
	if got, _ := m.Argument("subscription"); got.Namespaced {
		t.Errorf("the definition at hand does not count: %v", got)
	}
	if got, ok := m.Argument("sub"); ok {
		t.Errorf("a short name that the definition at hand does not have is %v", got)
	}
}

func TestAddCRDRefuses(t *testing.T) {
	tests := map[string]map[string]any{
		"nothing":              nil,
		"no spec":              {"spec": []any{}},
		"no scope":             definition("shop.example.com", "Till", "tills", ""),
		"another scope":        definition("shop.example.com", "Till", "tills", "Galaxy"),
		"no plural":            definition("shop.example.com", "Till", "", "Cluster"),
		"no group":             definition("", "Till", "tills", "Cluster"),
		"a kind of Kubernetes": definition("apps", "Deployment", "tills", "Cluster"),
	}
	for name, crd := range tests {
		m := restmap.New()
		m.AddCRD(crd)
		if got, ok := m.Argument("tills"); ok {
			t.Errorf("%s: became %v", name, got)
		}
	}
	old := definition("shop.example.com", "Till", "tills", "")
	old["apiVersion"] = "apiextensions.k8s.io/v1beta1"
	m := restmap.New()
	m.AddCRD(old)
	if got, _ := m.Kind("shop.example.com", "Till"); !got.Namespaced {
		t.Errorf("v1beta1 without a scope is namespaced, not %v", got)
	}
}

// TestShared checks that modifying a result does not change later results.
func TestShared(t *testing.T) {
	got, _ := restmap.New().Kind("", "Pod")
	got.Short[0] = "x"
	if again, _ := restmap.New().Kind("", "Pod"); again.Short[0] != "po" {
		t.Error("the table was changed")
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		restmap.New().Argument("deploy")
	}
}
