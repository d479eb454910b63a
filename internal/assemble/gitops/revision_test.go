package gitops

import "testing"

func TestIsOtherRevision(t *testing.T) {
	t.Parallel()
	for revision, want := range map[string]bool{
		"": false, "HEAD": false, "main": false, "refs/heads/main": false, "work": false, "{{ .branch }}": false, "$BRANCH": false,
		"release-1.2": true, "feature/a.b.c": true, "refs/heads/staging": true, "v1.2.3": true, "1.2.x": true, "v1.*": true, ">=1.0.0": true, "~1.2": true,
		"2": true, "refs/tags/a": true, "0123456789abcdef0123456789abcdef01234567": true, "0123abc": true, "1.2.3-rc.1": true,
	} {
		if got := isOtherRevision(revision, []string{"main", "work"}); got != want {
			t.Errorf("%q: got %v", revision, got)
		}
	}
	for revision, want := range map[string]bool{"staging": false, "release-1.2": false, "v1.2.3": true} {
		if got := isOtherRevision(revision, nil); got != want {
			t.Errorf("%q without known branches: got %v", revision, got)
		}
	}
}
