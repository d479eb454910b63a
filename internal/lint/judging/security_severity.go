package judging

// securitySeverities are the scores of the rules that report what an attacker could use, in the bands of code scanning: from 7.0 on a
// problem is high, from 4.0 on medium, otherwise low. No rule is critical (9.0): each needs an account, a token, or a pod first. Rules
// about manifests that do not work, or will stop working, have no score.
var securitySeverities = map[string]string{
	"gitops/project-token-never-expires": "5.0",
	"grafana/admin-role":                 "3.5",
	"grafana/create-access":              "6.0",
	"grafana/token-never-expires":        "3.5",
	"olm/cluster-admin-grant":            "8.0",
	"olm/excess-permissions":             "4.0",
	"olm/extension-write-access":         "8.0",
	"olm/group-grant":                    "7.0",
	"olm/installer-orphaned":             "6.0",
	"olm/permissions-grow":               "5.0",
	"olm/version-not-pinned":             "3.0",
	"pod/default-account-bound":          "5.0",
	"pod/token-mounted":                  "2.0",
	"rbac/always-allow":                  "8.0",
	"rbac/cluster-admin-grant":           "8.0",
	"rbac/escalation-verbs":              "8.0",
	"rbac/subject-not-found":             "3.0",
	"olm/synthetic-binding-dangling":     "4.0",
	"token/admission-disabled":           "5.0",
	"token/long-lived-secret":            "5.5",
	"token/lookup-disabled":              "5.5",
	"token/secret-mounted":               "5.0",
	"token/signing-keys":                 "4.0",
}
