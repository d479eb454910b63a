package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBaseRevision(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("0a", 20)
	tests := []struct{ name, payload, want string }{
		{"pull request", `{"pull_request": {"base": {"sha": "` + commit + `", "ref": "main"}}}`, commit},
		{"merge group", `{"merge_group": {"base_sha": "` + commit + `"}}`, commit},
		{"push", `{"before": "` + commit + `"}`, commit},
		{"first push of a branch", `{"before": "` + strings.Repeat("0", 40) + `"}`, ""},
		{"forced push", `{"before": "` + commit + `", "forced": true}`, ""},
		{"schedule", `{"schedule": "0 0 * * *"}`, ""},
		{"not a commit", `{"before": "--output=/etc/passwd"}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "event.json")
			if err := os.WriteFile(file, []byte(test.payload), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := baseRevision(file)
			if err != nil || got != test.want {
				t.Errorf("baseRevision = %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestBaseRevisionWithoutPayload(t *testing.T) {
	t.Parallel()
	if got, err := baseRevision(""); got != "" || err != nil {
		t.Errorf("no event file: %q, %v", got, err)
	}
	if _, err := baseRevision(filepath.Join(t.TempDir(), "absent.json")); err == nil {
		t.Error("an unreadable event file must be an error, otherwise changed-only would report everything")
	}
}
