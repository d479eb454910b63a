package session

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/fixing"
)

// installation is an extension with the account that it alone uses.
var installation = map[string]string{
	"base/ext.yaml":     extensionWithAccount,
	"base/bind.yaml":    installerBinding,
	"base/account.yaml": installerAccount,
}

// mentions are files that name the account SA of the namespace NS, by what has it.
var mentions = []struct{ name, file, text string }{
	{"a pod", "app/pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: NS}\nspec: {serviceAccountName: SA, containers: []}\n"},
	{"the template of a Deployment", "app/deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: NS}\nspec: {selector: {}, template: {spec: {serviceAccountName: SA, containers: []}}}\n"},
	{"the values of a HelmRelease", "app/release.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: flux-system}\nspec: {interval: 1m, targetNamespace: NS, chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: a}}}, values: {serviceAccount: {create: false, name: SA}}}\n"},
	{"the account of a HelmRelease", "app/release.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: NS}\nspec: {interval: 1m, serviceAccountName: SA, chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: a}}}}\n"},
	{"the values of an Application", "app/application.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {project: default, source: {repoURL: 'https://charts.example.com', chart: a, targetRevision: 1.0.0, helm: {valuesObject: {serviceAccount: {name: SA}}}}, destination: {server: 'https://kubernetes.default.svc', namespace: NS}}\n"},
	{"the values of an Application, as a text", "app/application.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec:\n  project: default\n  source:\n    repoURL: https://charts.example.com\n    chart: a\n    targetRevision: 1.0.0\n    helm:\n      values: |\n        serviceAccount:\n          name: SA\n  destination: {server: 'https://kubernetes.default.svc', namespace: NS}\n"},
	{"a parameter of an Application", "app/application.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {project: default, source: {repoURL: 'https://charts.example.com', chart: a, targetRevision: 1.0.0, helm: {parameters: [{name: serviceAccount.name, value: SA}]}}, destination: {server: 'https://kubernetes.default.svc', namespace: NS}}\n"},
	{"a HelmChart of k3s", "app/chart.yaml", "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: a, namespace: kube-system}\nspec: {chart: a, targetNamespace: NS, set: {serviceAccount.name: SA}}\n"},
	{"a template of kro", "app/graph.yaml", "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\nspec: {resources: [{id: a, template: {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: NS}, spec: {serviceAccountName: SA}}}]}\n"},
	{"an object of Crossplane", "app/object.yaml", "apiVersion: kubernetes.crossplane.io/v1alpha2\nkind: Object\nmetadata: {name: a}\nspec: {forProvider: {manifest: {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: NS}, spec: {serviceAccountName: SA}}}}\n"},
	{"a cloud identity", "app/identity.yaml", "apiVersion: eks.services.k8s.aws/v1alpha1\nkind: PodIdentityAssociation\nmetadata: {name: a, namespace: ack-system}\nspec: {clusterName: east, namespace: NS, serviceAccount: SA, roleARN: 'arn:aws:iam::1:role/a'}\n"},
	{"an object of an unknown type", "app/runner.yaml", "apiVersion: example.org/v1\nkind: Runner\nmetadata: {name: a, namespace: runners}\nspec: {runAs: SA}\n"},
	{"a ConfigMap", "app/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: NS}\ndata: {account: SA}\n"},
	{"a script", "app/run.sh", "#!/bin/sh\nkubectl create token SA -n NS\n"},
	{"a variable of Terraform", "app/main.tf", "locals {\n  account = \"SA\"\n}\n"},
	{"a playbook", "app/play.yml", "- hosts: localhost\n  vars: {account: SA}\n"},
	{"a workflow", ".github/workflows/ci.yaml", "jobs: {a: {steps: [{run: 'kubectl get sa SA -n NS'}]}}\n"},
	{"values of a chart", "app/values.yaml", "serviceAccount: {name: SA}\n"},
	{"a program", "app/main.go", "package main\n\nconst account = \"system:serviceaccount:NS:SA\"\n"},
}

// TestMentionsKeepAccounts crosses what can name an account with what makes it harmless: another name, a longer one that contains it, and a remark
// that is not about accounts.
func TestMentionsKeepAccounts(t *testing.T) {
	t.Parallel()
	for _, m := range mentions {
		for _, variant := range []struct {
			name    string
			account string
			remark  bool
			keeps   bool
		}{
			{"the account", "harbor-installer", false, true},
			{"another account", "quay-installer", false, false},
			{"a longer name", "harbor-installer-2", false, false},
			{"a remark", "quay-installer", true, false},
		} {
			t.Run(m.name+", "+variant.name, func(t *testing.T) {
				t.Parallel()
				text := strings.NewReplacer("NS", "harbor", "SA", variant.account).Replace(m.text)
				if variant.remark {
					text = commentOf(m.file) + " see harbor-installer for an example\n" + text
				}
				if got := keptWith(t, m.file, text); got != variant.keeps {
					t.Errorf("kept: %v\n%s", got, text)
				}
			})
		}
	}
}

// TestTypedReferencesOfOthers checks that an account is not kept by a reference whose own type says that it means an account of another namespace.
func TestTypedReferencesOfOthers(t *testing.T) {
	t.Parallel()
	for _, m := range mentions {
		if !slices.Contains([]string{"a pod", "the template of a Deployment", "the account of a HelmRelease"}, m.name) {
			continue
		}
		if text := strings.NewReplacer("NS", "elsewhere", "SA", "harbor-installer").Replace(m.text); keptWith(t, m.file, text) {
			t.Errorf("%s of another namespace keeps the account", m.name)
		}
	}
}

// commentOf returns what begins a comment of a file.
func commentOf(file string) string {
	if strings.HasSuffix(file, ".go") {
		return "//"
	}
	return "#"
}

// keptWith reports whether a prune keeps the account of the installation beside a file.
func keptWith(t *testing.T, file, text string) bool {
	t.Helper()
	files := maps.Clone(installation)
	files[file] = text
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: checkOut(t, files), Config: settings.Default(), Target: "olm-1.11",
		Fixes: fixing.Fixes{Apply: true, Prune: true}, Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	var writes []string
	for _, w := range out.Writes {
		writes = append(writes, w.Path)
	}
	if !slices.Contains(writes, "base/ext.yaml") {
		t.Errorf("the extension is not fixed beside\n%s", text)
	}
	return !slices.Contains(writes, "base/account.yaml")
}
