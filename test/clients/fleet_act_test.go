package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFleetWorkflowInAct runs the whole reusable workflow with act, twice: the jobs with their matrix, their conditions, and the steps of
// other actions, which are replaced by copies in a folder.
func TestFleetWorkflowInAct(t *testing.T) {
	t.Parallel()
	act := client(t, "act", installTools)
	client(t, "jq", "install jq")
	names, env := fleetOf(t, 5)
	home, kept := t.TempDir(), t.TempDir()
	run := func(repositories ...string) string {
		for _, name := range []string{"salint-fleet", "salint-fleet-0", "salint-fleet-1"} { // a run begins without artifacts
			if err := os.RemoveAll(filepath.Join(kept, name)); err != nil {
				t.Fatal(err)
			}
		}
		dir := t.TempDir()
		newRepository(t, dir, map[string]string{
			".github/workflows/fleet.yml": read(t, filepath.Join(projectRoot(t), ".github/workflows/fleet.yml")),
			".github/workflows/weekly.yml": "name: weekly\non: push\npermissions:\n  contents: read\njobs:\n  fleet:\n" +
				"    uses: ./.github/workflows/fleet.yml\n    with:\n      target: olm-1.11\n      jobs: 2\n      repositories: |\n        " +
				strings.Join(repositories, "\n        ") + "\n    secrets:\n      token: ${{ secrets.FLEET_TOKEN }}\n",
		})
		args := []string{
			"push", "--workflows", ".github/workflows/weekly.yml", "--platform", "ubuntu-latest=-self-hosted", "--no-cache-server", "--pull=false",
			"--action-cache-path", filepath.Join(home, "act"), "--secret", "FLEET_TOKEN=the-token",
			"--env", "KEPT=" + kept,
		}
		for action, script := range fleetActions(t) {
			args = append(args, "--local-repository", action+"="+script)
		}
		for _, variable := range env {
			args = append(args, "--env", variable)
		}
		out, code := command{
			t: t, dir: dir, name: act, args: args, env: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home},
		}.run()
		if strings.Contains(out, "the-token") {
			t.Error("the log contains the token")
		}
		return fmt.Sprintf("%s\nexit code %d", out, code)
	}

	out := run(append(names, "acme/none")...)
	mustContain(t, out, "exit code 1", "acme/none could not be cloned", "missing: github.com/acme/none")
	first := fleetSummary(t, read(t, filepath.Join(kept, "salint-fleet", "fleet.json")))
	checkSummary(t, first, map[string]float64{"repositories": 5, "clean": 2, "missing": 1, "warnings": 3, "safe": 3})
	if _, err := os.Stat(filepath.Join(kept, "cache")); err == nil {
		t.Error("an incomplete run is kept to compare with")
	}

	for _, want := range []map[string]float64{{"new": 0, "open": 0, "missing": 0}, {"new": 0, "open": 3, "missing": 0}} {
		if out := run(names...); !strings.HasSuffix(out, "exit code 0") {
			t.Fatalf("a run with all repositories fails:\n%s", out)
		}
		checkSummary(t, fleetSummary(t, read(t, filepath.Join(kept, "salint-fleet", "fleet.json"))), want)
	}
	page := read(t, filepath.Join(kept, "salint-fleet", "fleet.html"))
	mustContain(t, page, "github.com/acme/r00")
}

// fleetActions are the actions of the workflow, which act cannot download, with folders that do the same on this machine: what they keep
// is in the folder KEPT. That of Go installs the program under test.
func fleetActions(t *testing.T) map[string]string {
	t.Helper()
	setup := `
mkdir -p "$KEPT/bin"
printf '#!/bin/sh\ntest "$1 $2" = "install github.com/salint/salint/cmd/salint@latest" && cp -f PROGRAM KEPT/bin/salint-$$ && mv -f KEPT/bin/salint-$$ KEPT/bin/salint\n' |
  sed "s|KEPT|$KEPT|g; s|PROGRAM|` + filepath.ToSlash(filepath.Join(salintFolder(t), "salint")) + `|" > "$KEPT/bin/go-$$"
chmod +x "$KEPT/bin/go-$$"
mv -f "$KEPT/bin/go-$$" "$KEPT/bin/go"
echo "$KEPT/bin" >> "$GITHUB_PATH"`
	upload := `
mkdir -p "$KEPT/$INPUT_NAME"
cp -r "$INPUT_PATH"/. "$KEPT/$INPUT_NAME/" || test "$INPUT_IF_NO_FILES_FOUND" = ignore`
	download := `
test "$INPUT_PATTERN $INPUT_MERGE_MULTIPLE" = 'salint-fleet-* true'
mkdir -p "$INPUT_PATH"
for folder in "$KEPT"/$INPUT_PATTERN; do cp -r "$folder"/. "$INPUT_PATH/"; done`
	caches := t.TempDir()
	newRepository(t, caches, map[string]string{
		"restore/action.yml": localAction(`if [ -d "$KEPT/cache" ]; then cp -r "$KEPT/cache" "$INPUT_PATH"; fi`, "path", "key", "restore-keys"),
		"save/action.yml":    localAction(`cp -r "$INPUT_PATH" "$KEPT/cache"`, "path", "key"),
	})
	folders := map[string]string{"actions/cache@v4": caches}
	for name, text := range map[string]string{
		"actions/setup-go@v6":          localAction(setup, "go-version", "cache"),
		"actions/upload-artifact@v4":   localAction(upload, "name", "path", "if-no-files-found", "retention-days"),
		"actions/download-artifact@v5": localAction(download, "pattern", "path", "merge-multiple"),
	} {
		dir := t.TempDir()
		newRepository(t, dir, map[string]string{"action.yml": text})
		folders[name] = dir
	}
	return folders
}

// localAction is an action of one script, which has the inputs in variables such as INPUT_NAME.
func localAction(script string, inputs ...string) string {
	declared, env := "", ""
	for _, input := range inputs {
		declared += "  " + input + ": {description: an input}\n"
		env += fmt.Sprintf("        INPUT_%s: ${{ inputs.%s }}\n", strings.ToUpper(strings.ReplaceAll(input, "-", "_")), input)
	}
	return "name: local\ndescription: local\ninputs:\n" + declared + "runs:\n  using: composite\n  steps:\n    - shell: bash\n      env:\n" +
		env + "      run: |\n        " + strings.ReplaceAll(strings.TrimSpace(script), "\n", "\n        ") + "\n"
}
