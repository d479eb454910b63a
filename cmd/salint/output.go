package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/output/diff"
	"github.com/salint/salint/internal/output/remarks"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/output/terminal"
)

// report prints the findings, and writes them to files. If standard output contains a diff or a fixed text, the report goes
// to standard error.
func (l *linter) report(out *session.Outcome, views views) error {
	w := l.Stdout
	switch {
	case l.ctx.Bool("diff") || l.ctx.Bool("fix") && l.stdin:
		w = l.Stderr
	case l.ctx.String("format") == "github":
		w = l.exact
	}
	result := l.result(out)
	look := terminal.Look(w)
	err := report.Write(w, l.ctx.String("format"), result, report.Options{
		Color: look.Color(l.color), Width: look.Width, Quiet: l.ctx.Bool("quiet"), Verbose: l.ctx.Bool("verbose"), FailOn: l.failOn,
		Graph: views.graph, Chains: views.chains, FoldNotes: l.foldsNotes(), Group: l.group, Statistics: l.ctx.Bool("statistics"),
	})
	if err != nil {
		return err
	}
	for _, o := range l.outputs {
		var b bytes.Buffer
		if err := report.Write(&b, o.Format, result, report.Options{Verbose: l.ctx.Bool("verbose"), FailOn: l.failOn, Graph: views.graph, Chains: views.chains}); err != nil {
			return err
		}
		if err := o.Write(l.Dir, b.Bytes()); err != nil {
			return err
		}
	}
	var silenced []string
	if l.fixes() {
		silenced = remarks.SilencedFixes(out.Suppressed, l.makes, l.at.Rel)
	}
	return l.printNotes(slices.Concat(l.notes, out.Notes, silenced))
}

// printNotes prints remarks about the fixes.
func (l *linter) printNotes(notes []string) error {
	if l.ctx.Bool("quiet") {
		return nil
	}
	if !l.ctx.Bool("verbose") {
		notes = remarks.Fold(notes)
	}
	for _, note := range notes {
		if _, err := fmt.Fprintf(l.Stderr, "note: %s\n", safetext.Limit(note)); err != nil {
			return err
		}
	}
	return nil
}

// printDiff prints the changes for git apply, with paths relative to the root of the repository, as git apply requires. A
// file whose change cannot be shown is left out and adds an error to the run. The report then does not say what all changes do, because
// the diff does not make them.
func (l *linter) printDiff(out *session.Outcome) error {
	sorted := slices.Clone(out.Writes)
	slices.SortFunc(sorted, func(a, b commit.Write) int { return strings.Compare(a.Path, b.Path) })
	var left []string
	for _, w := range sorted {
		text, err := diff.Unified(w.Path, w.Before, w.After, hiddenLines(w))
		if hidden := (*diff.HiddenError)(nil); errors.As(err, &hidden) {
			out.Faults = append(out.Faults, err)
			left = append(left, w.Path)
			continue
		}
		if err != nil {
			return err
		}
		if _, err := io.WriteString(l.exact, text); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		out.Permissions, out.ChangedUnits = nil, nil
		out.Faults = append(out.Faults, fmt.Errorf("the diff leaves out %s, so the report does not say what all changes do to permissions; "+
			"the same command with --fix instead of --diff would change %s", words.First(maxChanged, left), words.First(maxChanged, paths(sorted))))
	}
	return nil
}

// maxChanged is how many of the files that a fix changes a message names.
const maxChanged = 20

func paths(writes []commit.Write) (names []string) {
	for _, w := range writes {
		names = append(names, w.Path)
	}
	return names
}

// hiddenLines returns the lines of a file that its diff must not show: data of Secrets, and on a runner of GitHub what the runner
// would obey, which cannot be escaped in a patch. A line of the context begins with a space, which the runner ignores.
func hiddenLines(w commit.Write) func(line int) bool {
	hidden := redact.Lines(w.Path, w.Before)
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return hidden
	}
	lines := bytes.Split(w.Before, []byte("\n"))
	return func(line int) bool {
		return hidden != nil && hidden(line) || line <= len(lines) && safetext.IsCommand(string(lines[line-1]))
	}
}

// printFixed prints standard input with the fixes applied, followed by generated objects as further documents. Without
// them, an extension without its account would have no bindings.
func (l *linter) printFixed(writes []commit.Write) error {
	text, err := l.options.Tree.Read(reading.StdinName)
	if err != nil {
		return err
	}
	var generated [][]byte
	for _, w := range writes {
		if w.Path == reading.StdinName {
			text = w.After
		} else {
			generated = append(generated, w.After)
		}
	}
	newline := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	for _, document := range generated {
		text = slices.Concat(bytes.TrimRight(text, "\r\n"), []byte(newline+"---"+newline), document)
	}
	_, err = l.exact.Write(text)
	return err
}

// fixCommand returns the command line that would apply the fixes that this run only offers or shows, and no others. It is
// "" for standard input, and for a workspace.
func (l *linter) fixCommand() string {
	if l.stdin || l.at.Members != nil { // fixes are made in one repository at a time
		return ""
	}
	flags := []string{"unsafe-fixes", "prune", "prune-only", "shared"}
	return l.fixCommandFor(slices.DeleteFunc(flags, func(flag string) bool { return !l.ctx.Bool(flag) }), l.paths)
}

// leftBehind returns the commit with which later runs find what the fixes of a run have left behind; "" if they need none.
func (l *linter) leftBehind(out *session.Outcome) string {
	isFoundOnlySince := func(f finding.Finding) bool {
		return f.Fix != nil && !f.Fix.Applied && f.Fix.Kind == finding.Prune && f.Severity != finding.Error
	}
	if !slices.ContainsFunc(out.Findings, isFoundOnlySince) {
		return ""
	}
	return l.options.Fixes.Commit
}

// remainingCommand returns the command line for the fixes that a run with --fix has left, compared with a revision unless the run has one or it is
// "". It is "" for standard input.
func (l *linter) remainingCommand(revision string) string {
	if l.stdin {
		return ""
	}
	flags := []string{"unsafe-fixes", "prune", "shared"}
	flags = slices.DeleteFunc(flags, func(flag string) bool { return !l.ctx.Bool(flag) })
	return l.commandFor(flags, map[string]string{"changed-since": cmp.Or(l.ctx.String("changed-since"), revision)}, l.paths)
}

// maxPaths is how many paths a command has that a person runs.
const maxPaths = 5

// sharedCommand returns the command line that makes a fix of an object in a file also for units outside of the paths. It has the flag
// of the kind of the fix, which this run may lack.
func (l *linter) sharedCommand(file string, kind finding.FixKind) string {
	flags := []string{finding.Unsafe.Flag(), finding.Prune.Flag()}
	if l.ctx.Bool("prune-only") && kind == finding.Prune {
		flags, kind = []string{"prune-only"}, finding.Safe
	}
	flags = append(slices.DeleteFunc(flags, func(flag string) bool { return !l.ctx.Bool(flag) && flag != kind.Flag() }), "shared")
	paths := l.paths
	if !slices.Contains(paths, l.at.Rel(file)) || len(paths) > maxPaths {
		paths = []string{l.at.Rel(file)}
	}
	return l.fixCommandFor(flags, paths)
}

// pruneCommand returns the command line that prunes what a change since a revision has made unused.
func (l *linter) pruneCommand(revision string) string {
	flag := "prune"
	if l.ctx.Bool("prune-only") {
		flag = "prune-only"
	}
	return l.commandFor([]string{flag}, map[string]string{"changed-since": revision}, l.paths)
}

// fixCommandFor returns the command line of this run with other boolean flags and other paths.
func (l *linter) fixCommandFor(switches []string, paths []string) string {
	return l.commandFor(switches, nil, paths)
}

// commandFor returns the command line of this run with other boolean flags, other values of some flags, and other paths.
func (l *linter) commandFor(switches []string, values map[string]string, paths []string) string {
	words := []string{"salint", "lint", "--fix"}
	for _, flag := range switches {
		words = append(words, "--"+flag)
	}
	if target := l.ctx.String("target"); target != "auto" {
		words = append(words, "--target", target)
		if l.setTarget {
			words = append(words, "--set-target")
		}
	}
	if l.ctx.Bool(flags.MergeName) {
		words = append(words, "--"+flags.MergeName)
	}
	for _, flag := range []string{"grant", "config", "config-from", "baseline", "changed-since", "now"} {
		if value := cmp.Or(values[flag], l.ctx.String(flag)); value != "" {
			words = append(words, "--"+flag, value)
		}
	}
	for _, flag := range []string{"policy", "enable", "disable", "only", flags.LimitsName} {
		for _, value := range l.ctx.StringSlice(flag) {
			words = append(words, "--"+flag, value)
		}
	}
	for _, path := range paths {
		words = append(words, shell.Path(path))
	}
	return shell.Join(words)
}
