package main

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/report"
)

// reports are the JSON reports of the repositories of a fleet.
type reports struct {
	Repositories, Findings int
	Seed                   uint64
}

// reportRules are rules that the reports name, with a severity and the kind of their fix.
var reportRules = []struct {
	name     string
	severity finding.Severity
	fix      finding.FixKind
}{
	{"olm/service-account-deprecated", finding.Warning, finding.Safe}, {"olm/service-account-not-found", finding.Error, ""},
	{"olm/cluster-admin-grant", finding.Warning, finding.Unsafe}, {"rbac/cluster-admin-grant", finding.Warning, ""},
	{"rbac/escalation-verbs", finding.Warning, ""}, {"rbac/subject-not-found", finding.Note, ""}, {"rbac/role-not-found", finding.Note, ""},
	{"pod/service-account-alias", finding.Warning, finding.Safe}, {"pod/service-account-not-found", finding.Warning, ""},
	{"pod/service-account-conflict", finding.Error, finding.Unsafe}, {"token/long-lived-secret", finding.Warning, ""},
	{"token/secret-mounted", finding.Warning, finding.Unsafe}, {"olm/installer-orphaned", finding.Warning, finding.Prune},
	{"olm/version-not-pinned", finding.Note, ""}, {"repo/not-checked", finding.Note, ""},
}

var reportReleases = [][2]string{{"olm-1.10", "required"}, {"olm-1.11", "ignored"}, {"ocp-4.20", "required"}, {"unknown", "unknown"}}

// all yields a report for each repository. The first repositories have more findings than the last; a tenth has none.
func (r reports) all() iter.Seq[file] {
	return func(yield func(file) bool) {
		random := rand.New(rand.NewPCG(r.Seed, 2))
		left := r.Findings
		for i := range r.Repositories {
			n := 0
			if dirty := r.Repositories - r.Repositories/10; i < dirty {
				n = left / (dirty - i)
				left -= n
			}
			if !yield(file{Path: fmt.Sprintf("repository-%04d.json", i), Text: r.one(random, i, n), Documents: n}) {
				return
			}
		}
	}
}

func (r reports) one(random *rand.Rand, i, findings int) string {
	name := fmt.Sprintf("git.example.org/team-%02d/repository-%04d", i%17, i)
	release := reportReleases[i%len(reportReleases)]
	result := &finding.Result{
		Version: "0.1.0", Origin: finding.Provenance{Repository: name, Revision: fmt.Sprintf("%040x", i+1)},
		Target:  finding.Target{Name: release[0], Model: release[1], DetectedFrom: "crds/clusterextensions.yaml:1"},
		Summary: finding.Summary{Files: 40 + i, Documents: 90 + 2*i, Suppressed: i % 3},
	}
	for n := range 1 + i%5 {
		result.Extensions = append(result.Extensions, finding.Extension{
			Name: fmt.Sprintf("extension-%d", n), Package: "operator", File: fmt.Sprintf("extensions/%d.yaml", n), Line: 1,
			Target: release[0], Model: release[1], Account: "named",
		})
	}
	for n := range findings {
		rule := reportRules[random.IntN(len(reportRules))]
		account := fmt.Sprintf("account-%d", random.IntN(200))
		f := finding.Finding{
			Rule: rule.name, Severity: rule.severity, Target: release[0], File: fmt.Sprintf("clusters/%d/%d.yaml", n%7, n), Path: "spec.serviceAccount",
			Message:  "ClusterExtension argocd names ServiceAccount argocd/" + account + " in spec.serviceAccount, which has no effect on olm-1.11: OLM acts as its own cluster-admin account. Remove the field.",
			Range:    finding.Range{Line: 1 + random.IntN(90), Column: 3, EndLine: 91, EndColumn: 9},
			Resource: finding.Resource{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRoleBinding", Name: fmt.Sprintf("binding-%d", n)},
			Related:  []finding.Related{{File: "rbac.yaml", Line: 4, Message: "the account"}, {File: "rbac.yaml", Line: 9, Message: "its role"}},
			Origin:   finding.Origin{Kustomization: "overlays/prod"},
		}
		if n%20 == 0 {
			f.Subject = &finding.Subject{Kind: "ServiceAccount", Namespace: "team", Name: account}
		}
		if rule.fix != "" {
			f.Fix = &finding.Fix{Kind: rule.fix, Description: "Remove spec.serviceAccount: OLM acts as its own account"}
		}
		result.Findings = append(result.Findings, f)
	}
	result.Summary.Count(result.Findings)
	var text bytes.Buffer
	if err := report.Write(&text, "json", result, report.Options{}); err != nil {
		panic(err) // a buffer accepts everything
	}
	return text.String()
}
