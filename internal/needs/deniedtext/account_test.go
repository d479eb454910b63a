package deniedtext

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`Error creating: pods "a-" is forbidden: error looking up service account ns/a: serviceaccount "a" not found`:                           {"ns/a"},
		`service account "a" not found in namespace "ns": unable to authenticate with the Kubernetes cluster.`:                                  {"ns/a"},
		`{"message": "serviceaccounts \"a\" not found"}`:                                                                                        {"a"},
		`cannot authenticate using ServiceAccount "b": ServiceAccount "b" not found. serviceaccount "a" is not found`:                           {"a", "b"},
		`secrets is forbidden: User "u" cannot list resource "secrets" in API group "" in the namespace "n"; serviceaccount "u" is in the list`: nil,
	} {
		report, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, report.Accounts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if want != nil && len(report.Admission)+len(report.Unread) > 0 {
			t.Errorf("%s: admission %q, unread %q", text, report.Admission, report.Unread)
		}
	}
}
