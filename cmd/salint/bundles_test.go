package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/test/golden"
)

// The permissions that --grant least-privilege writes are those that a preflight requires: none is missing and, if the
// identity had no others, none is unneeded. Linting then reports no further findings.
func TestLeastPrivilegeMatchesPreflight(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, name := range fixtures.Names(t) {
		group, base, _ := strings.Cut(name, "/")
		if group != "bundles" || base == "excluded" { // excluded prunes, and grants nothing
			continue
		}
		tree, changed := repositoryAfter(t, name)
		if !changed {
			continue
		}
		tried++
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			golden.WriteFolder(t, work, tree)
			makeRepository(t, work)
			for _, folder := range applied(work) {
				answer := preflightOf(t, work, folder)
				if len(answer.Missing) > 0 {
					t.Errorf("%s: missing %s", folder, answer.Missing)
				}
				if holdsMore := []string{"insufficient", "synthetic-that-holds-a-part"}; !slices.Contains(holdsMore, base) && len(answer.Unneeded) > 0 {
					t.Errorf("%s: unneeded %s", folder, answer.Unneeded)
				}
			}
			granted := golden.ReadFolder(t, work)
			out := runLine(work, "lint --fix --unsafe-fixes --prune")
			for _, rule := range []string{"insufficient-permissions", "olm/cluster-admin-grant", "synthetic-identity-unbound"} {
				if strings.Contains(out, rule) {
					t.Errorf("still reports %s:\n%s", rule, out)
				}
			}
			if diff := cmp.Diff(granted, golden.ReadFolder(t, work)); diff != "" {
				t.Errorf("changes again (-before +after):\n%s", diff)
			}
		})
	}
	if tried < 9 {
		t.Errorf("only %d cases", tried)
	}
}

// applied returns the overlays of a repository, or the whole repository if there are none.
func applied(dir string) []string {
	folders := []string{"."}
	if overlays, _ := filepath.Glob(filepath.Join(dir, "*st", "kustomization.yaml")); len(overlays) > 0 {
		folders = []string{"east", "west"}
	}
	return folders
}

type preflightAnswer struct{ Missing, Unneeded []json.RawMessage }

func preflightOf(t *testing.T, dir, folder string) (answer preflightAnswer) {
	t.Helper()
	out, _, _ := strings.Cut(runLine(dir, "preflight --format json "+folder), "[exit code")
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return answer
}

// history creates a repository with one commit.
func history(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	golden.WriteFolder(t, dir, files)
	disk.Git(t, dir, "init", "-q")
	disk.Git(t, dir, "add", "-A")
	disk.Git(t, dir, "commit", "-q", "-m", "before")
	return dir
}

const (
	growthCSV       = "bundles/tide/manifests/tide.clusterserviceversion.yaml"
	growthExtension = "extension.yaml"
)

// Growth of a bundle is reported in the pull request that introduces it, at the file that it changes.
func TestPermissionsGrow(t *testing.T) {
	t.Parallel()
	before := repositoryOf(t, "bundles/excluded")
	grown := strings.NewReplacer("[events]", "[events, secrets]", "1.4.0", "1.5.0").Replace(before[growthCSV])
	role := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: reader\n" +
		"  labels: {rbac.authorization.k8s.io/aggregate-to-view: \"true\"}\nrules: [{apiGroups: [\"\"], resources: [secrets], verbs: [get]}]\n"
	for name, test := range map[string]struct {
		change map[string]string // "" removes
		paths  string
		place  string // of the finding; "" for none
		note   string
	}{
		"the bundle":         {change: map[string]string{growthCSV: grown}, place: growthCSV + ":1:1"},
		"another file of it": {change: map[string]string{"bundles/tide/manifests/role.yaml": role}, place: "bundles/tide/manifests/role.yaml:1:1"},
		"the bundle and the version": {
			change: map[string]string{growthCSV: grown, growthExtension: strings.ReplaceAll(before[growthExtension], "1.4.0", "1.5.0")},
			place:  growthExtension + ":11:7",
		},
		"the bundle, asked about the extension":  {change: map[string]string{growthCSV: grown}, paths: growthExtension, place: growthExtension + ":11:7"},
		"the bundle, asked about something else": {change: map[string]string{growthCSV: grown}, paths: "rbac.yaml"},
		"another folder": {
			change: map[string]string{
				".salint.yaml": strings.ReplaceAll(before[".salint.yaml"], "bundles/tide", "next"), "next/manifests/csv.yaml": grown,
				"next/manifests/gauges.yaml": before["bundles/tide/manifests/gauges.yaml"],
			},
			place: "next/manifests/csv.yaml:1:1",
		},
		"something else":        {change: map[string]string{"rbac.yaml": before["rbac.yaml"] + "# changed\n"}},
		"nothing that is asked": {change: map[string]string{growthCSV: before[growthCSV] + "# changed\n"}},
		"a bundle that is gone": {
			change: map[string]string{growthCSV: "", "bundles/tide/manifests/gauges.yaml": "", "bundles/tide/manifests/extra.yaml": "", "bundles/tide/metadata/annotations.yaml": ""},
			note:   growthExtension + ":4:3: note: the permissions that its bundle requires were not checked: .salint.yaml:3: the bundle of ClusterExtension tide: bundles/tide: no such file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := history(t, before)
			golden.WriteFolder(t, dir, test.change)
			for file, text := range test.change {
				if text == "" {
					if err := os.Remove(filepath.Join(dir, file)); err != nil {
						t.Fatal(err)
					}
				}
			}
			removeEmpty(t, filepath.Join(dir, "bundles"))
			out := runLine(dir, strings.TrimSpace("lint --changed-since HEAD "+test.paths))
			var places []string
			for line := range strings.Lines(out) {
				if strings.Contains(line, "[olm/permissions-grow]") {
					place, _, _ := strings.Cut(line, ": ")
					places = append(places, place)
				}
			}
			var want []string
			if test.place != "" {
				want = []string{test.place}
			}
			if diff := cmp.Diff(want, places); diff != "" || !strings.Contains(out, test.note) {
				t.Errorf("places (-want +got):\n%s\n%s", diff, out)
			}
		})
	}
}

// removeEmpty removes empty folders, as git does.
func removeEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			removeEmpty(t, filepath.Join(dir, entry.Name()))
		}
	}
	_ = os.Remove(dir) // fails if the folder is not empty
}
