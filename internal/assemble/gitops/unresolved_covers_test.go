package gitops

import "testing"

func TestUnresolvedSourceCovers(t *testing.T) {
	t.Parallel()
	for path, folders := range map[string]map[string]bool{
		"apps/one":        {"apps/one": true, "apps/two": false, "apps/one/more": false},
		"apps/*":          {"apps/one": true, "apps/one/more": true, "apps": false, "other/one": false},
		"*/prod":          {"apps/prod": true, "/prod": true, "prod": false, "apps/production": false},
		"apps/*/*/prod":   {"apps/a/b/prod": true, "apps/a/prod": false, "apps///prod": true},
		"apps/a*a":        {"apps/aa": true, "apps/a": false},
		"apps/*-x-*-prod": {"apps/1-x-2-prod": true, "apps/1-x-prod": false},
		"*":               {"": true, "anything": true},
	} {
		for folder, want := range folders {
			if got := (UnresolvedSource{Path: path}).Covers(folder); got != want {
				t.Errorf("%s covers %s: %v, want %v", path, folder, got, want)
			}
		}
	}
}
