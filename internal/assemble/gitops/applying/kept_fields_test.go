package applying_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

const keptExtension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: tempo
  labels: {LABELS}
  annotations: {ANNOTATIONS}
spec: {namespace: tracing}
`

const keptApplication = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: tracing, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc}
  source: {repoURL: https://git.example.org/tracing.git, path: tracing}
  syncPolicy: {syncOptions: [OPTIONS]}
  ignoreDifferences: [IGNORED]
`

const keptSettings = `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd}
data:
  DATA
`

// keptCase is how a field is kept, or not kept.
type keptCase struct {
	tool                                        gitops.Tool
	options, ignored, data, annotations, labels string
	want                                        string // a part of the reason; "" if the field does not stay
}

// Each way to keep a field stands beside the same without what keeps it.
func TestKeepsField(t *testing.T) {
	const respect = "RespectIgnoreDifferences=true"
	entry := func(fields string) string {
		return "{group: olm.operatorframework.io, kind: ClusterExtension, " + fields + "}"
	}
	for name, c := range map[string]keptCase{
		"ignored and respected":       {tool: gitops.ArgoCD, options: respect, ignored: entry("jsonPointers: [/spec/serviceAccount]"), want: respect},
		"ignored":                     {tool: gitops.ArgoCD, ignored: entry("jsonPointers: [/spec/serviceAccount]")},
		"respected":                   {tool: gitops.ArgoCD, options: respect},
		"the name in the field":       {tool: gitops.ArgoCD, options: respect, ignored: entry("jsonPointers: [/spec/serviceAccount/name]"), want: respect},
		"the mapping of the field":    {tool: gitops.ArgoCD, options: respect, ignored: entry("jsonPointers: [/spec]"), want: respect},
		"another field":               {tool: gitops.ArgoCD, options: respect, ignored: entry("jsonPointers: [/spec/install]")},
		"the beginning of a name":     {tool: gitops.ArgoCD, options: respect, ignored: entry("jsonPointers: [/spec/serviceAcc]")},
		"an expression":               {tool: gitops.ArgoCD, options: respect, ignored: entry(`jqPathExpressions: [".spec.serviceAccount.name"]`), want: respect},
		"an expression for all":       {tool: gitops.ArgoCD, options: respect, ignored: entry(`jqPathExpressions: [".spec"]`), want: respect},
		"another expression":          {tool: gitops.ArgoCD, options: respect, ignored: entry(`jqPathExpressions: [".spec.source.catalog.version"]`)},
		"fields of a manager":         {tool: gitops.ArgoCD, options: respect, ignored: entry("managedFieldsManagers: [kubectl-edit]"), want: respect},
		"any kind":                    {tool: gitops.ArgoCD, options: respect, ignored: `{group: "*", kind: "*", jsonPointers: [/spec/serviceAccount]}`, want: respect},
		"another kind":                {tool: gitops.ArgoCD, options: respect, ignored: "{group: apps, kind: Deployment, jsonPointers: [/spec/serviceAccount]}"},
		"another name":                {tool: gitops.ArgoCD, options: respect, ignored: entry("name: loki, jsonPointers: [/spec/serviceAccount]")},
		"not synced":                  {tool: gitops.ArgoCD, options: "ApplyOutOfSyncOnly=true", ignored: entry("jsonPointers: [/spec/serviceAccount]"), want: "ApplyOutOfSyncOnly=true"},
		"ignored in the settings":     {tool: gitops.ArgoCD, options: respect, data: "resource.customizations.ignoreDifferences.olm.operatorframework.io_ClusterExtension: '{jsonPointers: [/spec/serviceAccount]}'", want: respect},
		"ignored everywhere":          {tool: gitops.ArgoCD, options: respect, data: "resource.customizations.ignoreDifferences.all: '{jqPathExpressions: [.spec.serviceAccount]}'", want: respect},
		"another in the settings":     {tool: gitops.ArgoCD, options: respect, data: "resource.customizations.ignoreDifferences.apps_Deployment: '{jsonPointers: [/spec/serviceAccount]}'"},
		"in the settings only":        {tool: gitops.ArgoCD, data: "resource.customizations.ignoreDifferences.all: '{jsonPointers: [/spec/serviceAccount]}'"},
		"a hook that is skipped":      {tool: gitops.ArgoCD, annotations: "argocd.argoproj.io/hook: Skip", want: "does not apply it"},
		"a hook of the sync":          {tool: gitops.ArgoCD, annotations: "argocd.argoproj.io/hook: PostSync"},
		"not reconciled":              {tool: gitops.FluxKustomize, annotations: "kustomize.toolkit.fluxcd.io/reconcile: disabled", want: "reconcile: disabled"},
		"not reconciled by a label":   {tool: gitops.FluxKustomize, labels: "kustomize.toolkit.fluxcd.io/reconcile: Disabled", want: "reconcile: Disabled"},
		"reconciled":                  {tool: gitops.FluxKustomize, annotations: "kustomize.toolkit.fluxcd.io/reconcile: enabled"},
		"only created":                {tool: gitops.FluxKustomize, annotations: "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent", want: "ssa: IfNotPresent"},
		"not applied":                 {tool: gitops.FluxKustomize, annotations: "kustomize.toolkit.fluxcd.io/ssa: Ignore", want: "ssa: Ignore"},
		"merged":                      {tool: gitops.FluxKustomize, annotations: "kustomize.toolkit.fluxcd.io/ssa: Merge"},
		"not reconciled, but by Argo": {tool: gitops.ArgoCD, annotations: "kustomize.toolkit.fluxcd.io/reconcile: disabled"},
		"only installed":              {tool: gitops.FluxHelm, annotations: "helm.sh/hook: post-install", want: "helm.sh/hook: post-install"},
		"upgraded":                    {tool: gitops.FluxHelm, annotations: `helm.sh/hook: "post-install,post-upgrade"`},
		"kapp skips updates":          {tool: gitops.FluxKustomize, annotations: "kapp.k14s.io/update-strategy: skip", want: "kapp"},
		"kapp does nothing":           {tool: gitops.FluxKustomize, annotations: `kapp.k14s.io/noop: ""`, want: "kapp"},
		"kapp replaces":               {tool: gitops.FluxKustomize, annotations: "kapp.k14s.io/update-strategy: always-replace"},
	} {
		t.Run(name, func(t *testing.T) {
			fill := strings.NewReplacer("OPTIONS", c.options, "IGNORED", c.ignored, "DATA", c.data+"\n", "LABELS", c.labels, "ANNOTATIONS", c.annotations).Replace
			read := func(text string) *objects.Object {
				all := objects.Objects(parse(t, fill(text)))
				return all[0]
			}
			result := gitops.Read([]*objects.Object{read(keptSettings), read(keptApplication)}, gitops.Options{})
			application := &gitops.Application{Tool: c.tool}
			if c.tool == gitops.ArgoCD {
				application = result.Applications[0]
			}
			extension := read(keptExtension)
			texts := func(field string) map[string]string {
				found := map[string]string{}
				for _, f := range extension.Node.Lookup(manifest.Path{"metadata", field}).Fields() {
					found[f.Key.String()] = f.Value.String()
				}
				return found
			}
			why, ok := applying.KeepsField(result, application, extension, manifest.Path{"spec", "serviceAccount"}, texts("annotations"), texts("labels"))
			if ok != (c.want != "") || !strings.Contains(why, c.want) {
				t.Errorf("KeepsField() = %q, %t, want a reason with %q", why, ok, c.want)
			}
		})
	}
}

func parse(t *testing.T, text string) *manifest.Document {
	t.Helper()
	doc := manifest.Scan("kept.yaml", []byte(text)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	return doc
}
