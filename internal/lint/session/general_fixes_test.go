package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/rules/metadata"
)

// generalFixes are the fixers that only rules of users request, with the arguments of these tests.
var generalFixes = map[string]string{
	"set-label":         "{key: example.org/owner, value: reports}",
	"remove-label":      "{key: example.org/team}",
	"set-annotation":    "{key: example.org/contact, value: reports}",
	"remove-annotation": "{key: example.org/legacy}",
	"set-field":         "{path: [automountServiceAccountToken], value: false}",
	"remove-field":      "{path: [imagePullSecrets]}",
}

const generallyFixed = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: reporter
  namespace: metrics
  labels:
    example.org/team: reports
  annotations:
    example.org/legacy: "true"
imagePullSecrets:
- name: pull-reports
`

func init() {
	for fixer := range generalFixes {
		growthExamples[fixer] = growthExample{rule: "custom/" + fixer, Example: metadata.Example{Bad: true, Text: generallyFixed}}
	}
}

// policiesWithGeneralFixes writes a rule for each of these fixers, and returns their folder.
func policiesWithGeneralFixes(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for fixer, args := range generalFixes {
		text := fmt.Sprintf(`# METADATA
# title: Account to change
# description: Each account is changed once.
# custom:
#   severity: warning
#   kinds: [ServiceAccount]
#   fix: {name: %s, kind: unsafe, args: %s}
#   examples:
#     - bad: "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a}}"
#     - good: "{apiVersion: v1, kind: ServiceAccount, metadata: {name: b}}"
package salint.rules.custom.%s

import data.salint.lib

report contains lib.finding(["metadata", "name"], "Change it.") if input.resource.metadata.name != "b"
`, fixer, args, strings.ReplaceAll(fixer, "-", "_"))
		if err := os.WriteFile(filepath.Join(dir, fixer+".rego"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
