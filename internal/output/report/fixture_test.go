package report

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
)

// repository is a small repository in memory whose texts have ranges.
type repository filestest.Tree

// source returns the content of a file, or nil if there is none.
func (r repository) source(file string) []byte {
	data, _ := filestest.Tree(r).Read(file)
	return data
}

// at returns the range of the first occurrence of a text in a file.
func (r repository) at(t *testing.T, file, text string) finding.Range {
	t.Helper()
	start := strings.Index(r[file], text)
	if start < 0 {
		t.Fatalf("%s does not contain %q", file, text)
	}
	f := manifest.Scan(file, []byte(r[file]))
	out := finding.Range{Start: start, End: start + len(text)}
	out.Line, out.Column = f.Position(out.Start)
	out.EndLine, out.EndColumn = f.Position(out.End)
	return out
}

// replace returns the edit that replaces one text with another.
func (r repository) replace(t *testing.T, file, old, text string) finding.FileEdit {
	t.Helper()
	at := r.at(t, file, old)
	return finding.FileEdit{File: file, Start: at.Start, End: at.End, New: text}
}

var manifests = repository{
	"prod/argocd.yaml": `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd # für alle
  serviceAccount:
    name: argocd-installer
  source:
    sourceType: Catalog
`,
	"prod/rbac.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: argocd-installer-admin
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: argocd-installer, namespace: argocd}
`,
	"prod/kustomization.yaml": `resources:
- argocd.yaml
- rbac.yaml
`,
	"dev/token.yaml": `apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata:
  name: deployer-token
data:
  token: aHVudGVyMg==
`,
	"broken file.yaml": "kind: Pod\nspec: {\n",
}

var ruleInfos = []finding.RuleInfo{
	{
		Name: "olm/service-account-deprecated", Title: "The service account of an extension is deprecated",
		Description: "From olm-1.11 on the field is ignored.", Severity: finding.Warning,
		Help: "Remove `spec.serviceAccount`.", HelpURI: "https://github.com/salint/salint/blob/main/docs/rules.md#olmservice-account-deprecated",
		Tags: []string{"deprecation"},
	},
	{Name: "olm/installer-orphaned", Title: "An installer that nobody uses", Severity: finding.Warning},
	{Name: "pod/token-mounted", Title: "A mounted token of an account with no bindings", Severity: finding.Off},
	{Name: "repo/unparsable", Title: "A file that cannot be read", Severity: finding.Error},
	{Name: "token/long-lived-secret", Title: "A token that never expires", Severity: finding.Warning},
}

var extension = finding.Resource{APIVersion: "olm.operatorframework.io/v1", Kind: "ClusterExtension", Name: "argocd"}

// mixed returns a result with a finding of every kind, in no particular order.
func mixed(t *testing.T) *finding.Result {
	t.Helper()
	r := &finding.Result{
		Version: "0.1.0",
		Target:  finding.Target{Name: "olm-1.11", Model: "ignored", DetectedFrom: "crds/clusterextensions.yaml:1"},
		Rules:   ruleInfos, Root: "/src/gitops", WorkDir: "/src/gitops", Source: manifests.source,
		Command: "salint lint --fix .",
	}
	r.Findings = []finding.Finding{deprecated(t), orphaned(t), longLived(t), {
		Rule: "repo/unparsable", Severity: finding.Error, File: "broken file.yaml",
		Message: "did not find expected node content", Range: finding.Range{Line: 3, Column: 1, EndLine: 3, EndColumn: 1},
	}, {
		Rule: "custom/naming", Severity: finding.Note, File: "prod/kustomization.yaml", Message: "100% of 2: fine, <really>",
		Range: finding.Range{Line: 2}, Origin: finding.Origin{Kustomization: "prod"},
	}}
	r.Summary = finding.Summary{Files: 5, Documents: 5, Suppressed: 1}
	r.Summary.Count(r.Findings)
	return r
}

func deprecated(t *testing.T) finding.Finding {
	t.Helper()
	field := "serviceAccount:\n    name: argocd-installer"
	return finding.Finding{
		Rule: "olm/service-account-deprecated", Severity: finding.Warning, Target: "olm-1.11",
		Message: "olm-1.11 ignores spec.serviceAccount and acts as its own account", File: "prod/argocd.yaml",
		Range: manifests.at(t, "prod/argocd.yaml", field), Resource: extension, Path: "spec.serviceAccount",
		Related: []finding.Related{{File: "prod/rbac.yaml", Line: 2, Message: "binds the account to cluster-admin"}},
		Fix: &finding.Fix{Kind: finding.Safe, Description: "remove spec.serviceAccount", Edits: []finding.FileEdit{
			manifests.replace(t, "prod/argocd.yaml", "  "+field+"\n", ""),
		}},
	}
}

func orphaned(t *testing.T) finding.Finding {
	t.Helper()
	f := finding.Finding{
		Rule: "olm/installer-orphaned", Severity: finding.Error, Message: "nobody uses argocd-installer any more",
		File: "prod/rbac.yaml", Range: manifests.at(t, "prod/rbac.yaml", "argocd-installer, namespace: argocd"),
		Resource: finding.Resource{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRoleBinding", Name: "argocd-installer-admin"},
		Path:     "subjects[0].name",
		Fix: &finding.Fix{Kind: finding.Prune, Description: "remove the binding", Edits: []finding.FileEdit{
			manifests.replace(t, "prod/kustomization.yaml", "- rbac.yaml\n", ""),
			manifests.replace(t, "prod/rbac.yaml", manifests["prod/rbac.yaml"], ""),
		}},
	}
	for line := 1; line <= 6; line++ {
		f.Related = append(f.Related, finding.Related{File: "prod/argocd.yaml", Line: line})
	}
	return f
}

func longLived(t *testing.T) finding.Finding {
	t.Helper()
	return finding.Finding{
		Rule: "token/long-lived-secret", Severity: finding.Warning, Message: "the token of deployer never expires",
		File: "dev/token.yaml", Range: manifests.at(t, "dev/token.yaml", "kubernetes.io/service-account-token"),
		Resource: finding.Resource{APIVersion: "v1", Kind: "Secret", Namespace: "dev", Name: "deployer-token"}, Path: "type",
		Fix: &finding.Fix{Kind: finding.Unsafe, Description: "use a projected token"},
	}
}
