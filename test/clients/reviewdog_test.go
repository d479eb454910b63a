package clients

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestReviewdog gives the SARIF report to reviewdog, which prints all findings, or those on lines that a change added.
func TestReviewdog(t *testing.T) {
	t.Parallel()
	reviewdog := client(t, "reviewdog", "run go install github.com/reviewdog/reviewdog/cmd/reviewdog@v0.21.0")
	bash := client(t, "bash", "install bash")
	salint := filepath.Join(salintFolder(t), "salint")
	dir := t.TempDir()
	newRepository(t, dir, map[string]string{"old.yaml": withAccount("old")})
	write(t, filepath.Join(dir, "new.yaml"), withAccount("new"))
	git(t, dir, "add", "--all")
	pipe := func(args string) (string, int) {
		return command{t: t, dir: dir, name: bash, args: []string{"-o", "pipefail", "-c", `"$0" lint --target olm-1.11 --fail-on never --format sarif | "$1" -f=sarif ` + args, salint, reviewdog}}.run()
	}

	out, code := pipe("-reporter=rdjson -filter-mode=nofilter")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	type place struct{ Line, Column int }
	type lines struct{ Start, End place }
	var read struct {
		Diagnostics []struct {
			Severity string
			Code     struct{ Value, URL string }
			Location struct {
				Path  string
				Range lines
			}
			Suggestions []struct {
				Range lines
				Text  string
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &read); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(read.Diagnostics) != 2 {
		t.Fatalf("%d findings\n%s", len(read.Diagnostics), out)
	}
	for i, name := range []string{"new.yaml", "old.yaml"} {
		d := read.Diagnostics[i]
		if d.Location.Path != name || d.Location.Range.Start != (place{7, 3}) || d.Location.Range.End.Line != 8 || d.Severity != "WARNING" ||
			d.Code.Value != "olm/service-account-deprecated" || d.Code.URL == "" || len(d.Suggestions) != 1 || d.Suggestions[0].Text != "\n" {
			t.Errorf("%s: %+v", name, d)
		}
	}

	out, code = pipe(`-reporter=local -diff="git diff --cached" -fail-level=warning`)
	if code == 0 {
		t.Errorf("exit code 0 with a new finding\n%s", out)
	}
	mustContain(t, out, `"uri":"new.yaml"`)
	git(t, dir, "commit", "--quiet", "--message=test")
	if out, code := pipe(`-reporter=local -diff="git diff" -fail-level=warning`); code != 0 {
		t.Errorf("exit code %d without a change\n%s", code, out)
	}
}
