package objects_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

const (
	quietAccount = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: web, namespace: shop}, automountServiceAccountToken: false}"
	plainAccount = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: web, namespace: shop}, imagePullSecrets: [{name: registry}]}"
)

func TestAdmit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pod, account string
		token        objects.TokenMount
		secrets      []string
		by           objects.Decider
	}{
		"set by neither": {
			"{serviceAccountName: web}", plainAccount,
			objects.TokenMount{Mounted: true, By: objects.DecidedByDefault}, []string{"registry"}, objects.DecidedByAccount,
		},
		"set by the account": {
			"{serviceAccountName: web}", quietAccount,
			objects.TokenMount{By: objects.DecidedByAccount}, nil, objects.DecidedByDefault,
		},
		"the pod takes precedence": {
			"{serviceAccountName: web, automountServiceAccountToken: true, imagePullSecrets: [{name: own}]}", quietAccount,
			objects.TokenMount{Mounted: true, By: objects.DecidedByPod}, []string{"own"}, objects.DecidedByPod,
		},
		"an empty list of the pod": {
			"{serviceAccountName: web, imagePullSecrets: []}", plainAccount,
			objects.TokenMount{Mounted: true, By: objects.DecidedByDefault}, []string{"registry"}, objects.DecidedByAccount,
		},
		"by the alias": {
			"{serviceAccount: web}", quietAccount,
			objects.TokenMount{By: objects.DecidedByAccount}, nil, objects.DecidedByDefault,
		},
		"another account": {
			"{}", quietAccount,
			objects.TokenMount{Mounted: true, By: objects.Undecided}, nil, objects.Undecided,
		},
		"not a boolean": {
			"{serviceAccountName: web, automountServiceAccountToken: \"no\"}", quietAccount,
			objects.TokenMount{By: objects.DecidedByAccount}, nil, objects.DecidedByDefault,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pod := one(t, "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}, spec: "+test.pod+"}")
			unit := assembly.Units([]*objects.Object{pod, one(t, test.account)}, nil)[0]
			got := unit.Admit(pod, objects.PodSpecs(pod)[0])
			if diff := cmp.Diff(test.token, got.Token); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.secrets, got.PullSecrets); diff != "" || got.PullSecretsBy != test.by {
				t.Error(got.PullSecretsBy, diff)
			}
		})
	}
}

func TestStaticPods(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}":                                                                        false,
		"{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {kubernetes.io/config.source: file}}, spec: {}}":                      true,
		"{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {kubernetes.io/config.source: api}}, spec: {}}":                       false,
		"{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {kubernetes.io/config.mirror: b}}, spec: {}}":                         true,
		"{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {component: etcd, tier: control-plane}}, spec: {}}":                        true,
		"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {component: etcd, tier: control-plane}}, spec: {}}":            false,
		"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {volumes: [{hostPath: {path: /etc/kubernetes/static-pod-resources/kas}}]}}": true,

		"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{volumeMounts: [{mountPath: /etc/kubernetes/static-pod-resources}]}]}}": true,
		"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{volumeMounts: [{mountPath: /etc/kubernetes}]}]}}":                      false,
	} {
		pod := one(t, text)
		if got := objects.IsStatic(pod); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	inFolder := one(t, "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}")
	inFolder.File = "bootkube/bootstrap-manifests/etcd.yaml"
	if !objects.IsStatic(inFolder) {
		t.Error("a pod of a bootstrap node is admitted")
	}
	inFolder.File = "nodes/etc/kubernetes/manifests/etcd.yaml"
	if !objects.IsStatic(inFolder) || len(objects.AccountReferences(inFolder)) > 0 {
		t.Error("a pod of a kubelet's folder runs as an account")
	}
	if admitted := (&objects.Unit{}).Admit(inFolder, objects.PodSpecs(inFolder)[0]); !admitted.Static || admitted.Token.Mounted || admitted.Account.Name != "" {
		t.Errorf("a static pod was admitted: %+v", admitted)
	}
}
