package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

// pruneLoopCases are golden cases that prune, of different groups.
var pruneLoopCases = []string{
	"charts/prune-left-account", "charts/prune-refused", "charts/prune-refused-shown-and-made", "charts/prune-shapes",
	"fix/prune-in-the-same-run", "fix/prune-later", "fix/prune-keeps-accounts-in-use", "fix/prune-patches-of-removed-objects",
	"fix/prune-shown-and-made", "fix/prune-under-prefixes", "gitops-safety/argo-cd-deletes-what-is-ignored", "shapes/namesake-in-another-cluster",
}

// TestPruneReportsTheSameOpenFindings checks that a preview, the run that changes the files, and the next run leave the same findings
// open, in every format. The reasons why something stays are apart: the next run does not know what the run before it made unused.
func TestPruneReportsTheSameOpenFindings(t *testing.T) {
	t.Parallel()
	step := long.Runs(2, 1)
	for i, name := range pruneLoopCases {
		if i%step != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fixtures.Read(t, name)
			target := pruneTarget(files["cmd"])
			preview := openFindings(t, files, "--diff --prune"+target, false)
			made := openFindings(t, files, "--fix --prune"+target, false)
			if diff := cmp.Diff(preview, made); diff != "" {
				t.Errorf("a preview reports something else (-preview +made):\n%s", diff)
			}
			next := openFindings(t, files, "--fix --prune"+target, true)
			if diff := cmp.Diff(withoutReasons(made), withoutReasons(next), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the second run reports something else (-first +second):\n%s", diff)
			}
		})
	}
}

// withoutReasons leaves out the notes about what is not fixed.
func withoutReasons(open map[string][]string) map[string][]string {
	left := map[string][]string{}
	for format, findings := range open {
		left[format] = slices.DeleteFunc(slices.Clone(findings), func(f string) bool { return strings.HasSuffix(f, " repo/unfixable") })
	}
	return left
}

// pruneTarget returns the options about the release and the paths of the last command line that prunes.
func pruneTarget(lines string) string {
	line := ""
	for l := range strings.Lines(lines) {
		if strings.Contains(l, "--prune") {
			line = strings.TrimSpace(l)
		}
	}
	args := slices.DeleteFunc(strings.Fields(line)[1:], func(arg string) bool { return arg == "--fix" || arg == "--diff" || arg == "--prune" })
	return strings.TrimRight(" "+strings.Join(args, " "), " ")
}

// openFindings returns the findings that a run leaves open, by format, as file and rule: lines move when something is removed above.
func openFindings(t *testing.T, files map[string]string, options string, twice bool) map[string][]string {
	t.Helper()
	open := map[string][]string{}
	for format, read := range map[string]func(*testing.T, string) []string{"text": openInText, "json": openInJSON, "html": openInHTML} {
		work := t.TempDir()
		golden.WriteFolder(t, work, golden.Below("in/", files))
		makeRepository(t, work)
		if twice {
			runLine(work, "lint "+options)
		}
		out := runLine(work, "lint --verbose "+options+" --format "+format)
		if _, report, ok := strings.Cut(out, "[standard error]\n"); ok && strings.HasPrefix(options, "--diff") {
			out = report // the diff is the standard output
		}
		open[format] = read(t, out)
		slices.Sort(open[format])
		open[format] = slices.Compact(open[format]) // text counts findings with one reason
	}
	for _, format := range []string{"text", "html"} {
		if diff := cmp.Diff(open["json"], open[format]); diff != "" {
			t.Errorf("%s: the formats differ (-json +%s):\n%s", options, format, diff)
		}
	}
	return open
}

func openInText(_ *testing.T, out string) (open []string) {
	for block := range strings.SplitSeq(out, "\n\n") {
		found := openLine.FindStringSubmatch(block)
		if found != nil && !offeredFix.MatchString(block) {
			open = append(open, found[1]+" "+found[2])
		}
	}
	return open
}

var (
	openLine   = regexp.MustCompile(`(?m)^(\S+?):\d+:\d+: (?:error|warning|note): .* \[([a-z]+/[a-z-]+)\]$`)
	offeredFix = regexp.MustCompile(`fix(?: in \S+)?: .* \((?:safe|prune); `) // --diff --prune shows it
	htmlGroup  = regexp.MustCompile(`<span class="where">([a-z]+/[a-z-]+) `)
	htmlPlace  = regexp.MustCompile(`^<p><code>(.*?):\d+</code>`)
)

func openInJSON(t *testing.T, out string) (open []string) {
	t.Helper()
	var report struct {
		Findings []struct {
			File, Rule string
			Fix        *struct{ Kind string }
		}
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&report); err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Fix == nil || f.Fix.Kind == "unsafe" {
			open = append(open, f.File+" "+f.Rule)
		}
	}
	return open
}

func openInHTML(t *testing.T, out string) (open []string) {
	t.Helper()
	_, section, ok := strings.Cut(out, `<h2 id="findings">`)
	if !ok {
		t.Fatal("the page has no open findings")
	}
	section, _, _ = strings.Cut(section, "</section>")
	for group := range strings.SplitSeq(section, "<details") {
		rule := htmlGroup.FindStringSubmatch(group)
		for i, article := range strings.Split(group, "<article ") {
			if i == 0 || offeredFix.MatchString(article) {
				continue
			}
			_, body, _ := strings.Cut(article, "\n")
			open = append(open, htmlPlace.FindStringSubmatch(body)[1]+" "+rule[1])
		}
	}
	return open
}
