package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

// A repository that defines a role twice gives what the stronger one does, because which one a cluster gets is not known.
func TestPossibleOfRolesDefinedTwice(t *testing.T) {
	t.Parallel()
	shared := finding.RoleRef{Kind: "ClusterRole", Name: "shared"}
	reads, writes := Role{Role: shared, Powers: []string{"read Secrets"}, File: "a.yaml"}, Role{Role: shared, Powers: []string{"create pods"}, File: "b.yaml"}
	everything := Role{Role: shared, ClusterAdmin: true, Powers: []string{"everything"}, File: "c.yaml"}
	for name, test := range map[string]struct {
		roles  []Role
		powers []string
		admin  bool
	}{
		"the strong one is the second": {[]Role{reads, everything}, []string{"everything"}, true},
		"the strong one is the first":  {[]Role{everything, reads}, []string{"everything"}, true},
		"different ones":               {[]Role{reads, writes}, []string{"read Secrets", "create pods"}, false},
		"the same one":                 {[]Role{reads, reads}, []string{"read Secrets"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, reports := range []int{1, 2} {
				f := &Fleet{Repositories: []*Repository{{Name: "team", Bindings: []OpenBinding{{Binding: "ClusterRoleBinding b", Role: shared, Subject: finding.Subject{Kind: "User", Name: "ada"}}}}}}
				for part := range slices.Chunk(test.roles, len(test.roles)/reports) {
					f.Repositories = append(f.Repositories, &Repository{Name: "platform", Roles: part})
				}
				var got []string
				for _, p := range f.Possible() {
					got = append(got, fmt.Sprint(p.DefinedIn, p.Role.Powers, p.Admin()))
				}
				if diff := cmp.Diff([]string{fmt.Sprint("platform", test.powers, test.admin)}, got); diff != "" {
					t.Errorf("%d reports (-want +got):\n%s", reports, diff)
				}
			}
		})
	}
}

// Settings do not decide what is a way to cluster-admin, and data of tests is none.
func TestWays(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(f *finding.Finding)
		want   bool
	}{
		"as the rule has it":      {func(*finding.Finding) {}, true},
		"made a note by settings": {func(f *finding.Finding) { f.Severity = finding.Note }, true},
		"a note of the rule":      {func(f *finding.Finding) { f.RuleSeverity, f.Severity = finding.Note, finding.Note }, false},
		"raised by settings":      {func(f *finding.Finding) { f.RuleSeverity, f.Severity = finding.Note, finding.Error }, false},
		"data of tests":           {func(f *finding.Finding) { f.Unapplied = &finding.Unapplied{Folder: "testdata"} }, false},
		"data of tests, as an error": {func(f *finding.Finding) {
			f.Unapplied, f.Severity = &finding.Unapplied{Folder: "testdata"}, finding.Error
		}, false},
		"that no kustomization lists": {func(f *finding.Finding) {
			f.Unapplied = &finding.Unapplied{Folder: "a", Beside: "a/kustomization.yaml"}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way, grant := found("rbac/escalation-verbs", finding.Warning, "a.yaml"), found("rbac/cluster-admin-grant", finding.Warning, "b.yaml")
			way.RuleSeverity, grant.RuleSeverity = finding.Warning, finding.Warning
			test.change(&way)
			test.change(&grant)
			f := collect(t, Options{Paths: []string{folder(t, map[string]string{"a.json": reportOf(t, lintResult("example.org/one", way, grant))})}})
			if got := len(f.Repositories[0].Ways) > 0; got != test.want {
				t.Errorf("a way: %t", got)
			}
			if got, want := len(f.Admins) > 0, grant.Unapplied == nil || grant.Unapplied.Beside != ""; got != want {
				t.Errorf("an admin: %t", got)
			}
		})
	}
}

// A patch can set the account, in another file than the extension.
func TestFixOfExtension(t *testing.T) {
	t.Parallel()
	about := found(extensionRule, finding.Warning, "prod/patch.yaml")
	about.Resource.Name, about.Fix = "queue", &finding.Fix{Kind: finding.Safe}
	r := lintResult("example.org/one", about)
	patched, silenced := finding.Place{File: "prod/patch.yaml", Line: 3}, finding.Place{File: "test/patch.yaml", Line: 3}
	for _, place := range []finding.Place{patched, silenced, {}} {
		r.Extensions = append(r.Extensions, finding.Extension{Name: "queue", File: "base/queue.yaml", Account: "named", Model: "ignored", AccountPlace: place})
	}
	f := collect(t, Options{Paths: []string{folder(t, map[string]string{"a.json": reportOf(t, r)})}})
	var got []string
	for _, e := range f.Repositories[0].Extensions {
		got = append(got, fmt.Sprint(e.AccountFile, " ", e.Fix, " ", e.Deprecated))
	}
	if diff := cmp.Diff([]string{"prod/patch.yaml safe true", "test/patch.yaml  false", "  false"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Chains that do not say what lint says with --chains are none.
func TestChainsOfReports(t *testing.T) {
	t.Parallel()
	text := withoutChecksum(reportOf(t, lintResult("example.org/one")))
	for chains, want := range map[string]bool{
		`{"goal": "cluster-admin", "identities": [], "unknown": []}`: true,
		`null`: false, `{}`: false, `{"goal": "cluster-admin", "identities": null, "unknown": []}`: false, `{"goal": "secrets", "identities": [], "unknown": []}`: false,
	} {
		f := collect(t, Options{Paths: []string{folder(t, map[string]string{"a.json": strings.Replace(text, `"findings": [`, `"chains": `+chains+`, "findings": [`, 1)})}})
		if len(f.Repositories) != 1 || (f.Repositories[0].Chains != nil) != want {
			t.Errorf("%s: problems %v", chains, f.Problems)
		}
	}
}
