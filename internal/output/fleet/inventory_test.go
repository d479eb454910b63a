package fleet

import (
	"fmt"
	"slices"
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
