package repo

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

func TestGitignore(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		files map[string]string
		want  []string
	}{
		"names, suffixes, folders": {
			map[string]string{".gitignore": "a.yaml\n*.gen.json\nout/\n# b.yaml\n\n", "a.yaml": "", "b.yaml": "", "x/a.yaml": "",
				"x.gen.json": "", "out/c.yaml": "", "x/out/c.yaml": "", "x/out.yaml": ""},
			[]string{"b.yaml", "x/out.yaml"},
		},
		"the inner file wins": {
			map[string]string{".gitignore": "*.yaml\n", "keep/.gitignore": "!*.yaml\nno.yaml\n", "a.yaml": "", "keep/a.yaml": "", "keep/no.yaml": "", "keep/in/a.yaml": ""},
			[]string{"keep/a.yaml", "keep/in/a.yaml"},
		},
		"nothing below an ignored folder is included again": {
			map[string]string{".gitignore": "out\n!out/a.yaml\n", "out/a.yaml": "", "out/.gitignore": "!*\n", "b.yaml": ""},
			[]string{"b.yaml"},
		},
		"everything except": {
			map[string]string{".gitignore": "*\n!*/\n!*.yml\n", "a.yaml": "", "a.yml": "", "x/a.yaml": "", "x/a.yml": ""},
			[]string{"a.yml", "x/a.yml"},
		},
		"a folder included again does not include its content again": {
			map[string]string{".gitignore": "*.yaml\n!keep\n", "keep/a.yaml": "", "keep/a.json": ""},
			[]string{"keep/a.json"},
		},
		".git/info/exclude": {
			map[string]string{".git/info/exclude": "a.yaml\nb.yaml\n", ".gitignore": "!b.yaml\n", "a.yaml": "", "b.yaml": ""},
			[]string{"b.yaml"},
		},
		"a byte order mark, carriage returns, spaces": {
			map[string]string{".gitignore": "\ufeffa.yaml\r\nb.yaml  \r\n", "a.yaml": "", "b.yaml": "", "c.yaml": ""},
			[]string{"c.yaml"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			visited, skipped := walk(t, open(t, disk.Repository(t, test.files)), WalkOptions{})
			if diff := cmp.Diff(test.want, visited); diff != "" || skipped != nil {
				t.Errorf("skipped %v\n%s", skipped, diff)
			}
		})
	}
}

func TestGitignoreOfLinkedWorktree(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{
		".git/info/exclude": "a.yaml\n", ".git/worktrees/w/commondir": "../..\n", ".git/worktrees/w/HEAD": "",
		"w/.git": "gitdir: ../.git/worktrees/w\n", "w/a.yaml": "", "w/b.yaml": "",
	})
	visited, _ := walk(t, open(t, root, "w"), WalkOptions{})
	if diff := cmp.Diff([]string{"b.yaml"}, visited); diff != "" {
		t.Error(diff)
	}
}

// TestGitignoreAsGit compares the walk with git on random ignore files: the files that git lists as untracked must be those
// that the walk visits.
func TestGitignoreAsGit(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "ab", "a.d", "[a]", "{b}", "a b"}
	files := map[string]string{}
	for _, x := range names {
		files[x+".yaml"] = ""
		for _, y := range names {
			files[x+"/"+y+".yaml"], files[x+"/"+y+"/a.yaml"], files[x+"/"+y+"/b.json"] = "", "", ""
		}
	}
	root := disk.Tree(t, files)
	disk.Git(t, root, "init", "-q")
	rounds := 100
	if testing.Short() {
		rounds = 10
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		outer, inner := randomIgnores(random), randomIgnores(random)
		disk.Put(t, root, ".gitignore", outer)
		disk.Put(t, root, "a/.gitignore", inner)
		visited, _ := walk(t, open(t, root), WalkOptions{})
		if diff := cmp.Diff(untracked(t, root), visited); diff != "" {
			t.Fatalf(".gitignore:\n%s\na/.gitignore:\n%s\n(-git +salint)\n%s", outer, inner, diff)
		}
	}
}

func untracked(t *testing.T, root string) []string {
	var out []string
	list := disk.Git(t, root, "ls-files", "-z", "--others", "--exclude-standard")
	for p := range strings.SplitSeq(list, "\x00") {
		if IsManifest(p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// randomIgnores combines pieces that matter to a matcher.
func randomIgnores(random *rand.Rand) string {
	pieces := []string{"a", "b", "ab", ".d", ".yaml", ".json", "*", "**", "?", "/", "/", "/**/", "**/", "/**", "[ab]", "[!a]", "[^b]",
		"[a-c]", "[]a]", "[[:alpha:]]", "[![:punct:]]", "[", "{b}", `\[a\]`, `\*`, "!", "#", " ", `\ `, `\`}
	var lines strings.Builder
	for range 1 + random.IntN(5) {
		line := ""
		if random.IntN(3) == 0 {
			line = "!"
		}
		for range 1 + random.IntN(4) {
			line += pieces[random.IntN(len(pieces))]
		}
		if !looseStars.MatchString(line) {
			lines.WriteString(line + "\n")
		}
	}
	return lines.String()
}

// looseStars matches patterns such as a**/b. gitignore(5) defines them like a*/b, but git matches them differently, because
// it first removes the plain text before the stars.
var looseStars = regexp.MustCompile(`[^/!*]\*\*`)

func TestHelmignore(t *testing.T) {
	t.Parallel()
	chart := map[string]string{
		"chart/Chart.yaml": "", "chart/values.yaml": "", "chart/ci/a.yaml": "", "chart/ci/b-values.yaml": "", "chart/ci/data/c-values.yaml": "", "chart/templates/a.yaml": "",
		"chart/templates/.b.yaml": "", "chart/templates/ci/c.yaml": "", "other/ci/a.yaml": "", "other/templates/.b.yaml": "",
	}
	always := []string{"other/ci/a.yaml", "other/templates/.b.yaml"}
	all := []string{"chart/Chart.yaml", "chart/ci/a.yaml", "chart/ci/b-values.yaml", "chart/ci/data/c-values.yaml", "chart/templates/a.yaml", "chart/templates/ci/c.yaml", "chart/values.yaml"}
	tests := map[string]struct {
		ignore  string
		want    []string
		skipped []string
	}{
		"hidden templates":             {"", all, nil},
		"a name at any depth":          {"ci/\n", []string{"chart/Chart.yaml", "chart/ci/b-values.yaml", "chart/templates/a.yaml", "chart/values.yaml"}, nil},
		"a path from the chart":        {" /ci/ \n", []string{"chart/Chart.yaml", "chart/ci/b-values.yaml", "chart/templates/a.yaml", "chart/templates/ci/c.yaml", "chart/values.yaml"}, nil},
		"a glob in a path":             {"# none\ntemplates/*.yaml\n", []string{"chart/Chart.yaml", "chart/ci/a.yaml", "chart/ci/b-values.yaml", "chart/ci/data/c-values.yaml", "chart/templates/ci/c.yaml", "chart/values.yaml"}, nil},
		"a negation excludes the rest": {"!*.yaml\n", []string{"chart/Chart.yaml", "chart/ci/b-values.yaml", "chart/values.yaml"}, nil},
		"Helm refuses two stars":       {"ci\n**/x\n", all, []string{"chart/.helmignore: line 2: Helm does not support ** here, and will not load the chart"}},
		"a broken glob as well":        {"[a\n", all, []string{"chart/.helmignore: line 1: not a valid glob, Helm will not load the chart"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := disk.Repository(t, chart)
			disk.Put(t, root, "chart/.helmignore", test.ignore)
			disk.Put(t, root, "other/.helmignore", "*\n") // no chart, no effect
			visited, skipped := walk(t, open(t, root), WalkOptions{})
			if diff := cmp.Diff(append(slices.Clone(test.want), always...), visited); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.skipped, skipped); diff != "" {
				t.Error(diff)
			}
		})
	}
}
