package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/salint/salint/internal/output/markdown"
)

// compared is how lint finds out what changed since the base revision.
type compared struct {
	// flag is --changed-since or --settings-since with the revision; "" compares with nothing.
	flag string
	// unknown states that changed settings are not known, and why; "" if they are, or if there is nothing to compare with.
	unknown string
}

// compareWith returns how a run compares with the base revision. All runs report changed settings, because a pull request could switch
// off its own check otherwise. The usual checkout has one commit only; unless a comparison was asked for, that is not an error.
func (s *Step) compareWith(ctx context.Context, in Inputs, base string) compared {
	switch {
	case base == "", slices.ContainsFunc(in.Args, func(arg string) bool { return strings.HasPrefix(arg, "--changed-since") }):
		return compared{}
	case in.ChangedOnly:
		return compared{flag: "--changed-since=" + base}
	case !in.TrustBase && !hasHistory(ctx, base):
		return compared{unknown: "It is not known whether this change also changes the configuration, policies, or the baseline: " +
			"the checkout lacks the commit with which it is compared. Set `fetch-depth: 0` for actions/checkout."}
	}
	return compared{flag: "--settings-since=" + base}
}

// hasHistory reports whether the clone has the commits since a revision.
func hasHistory(ctx context.Context, base string) bool {
	return exec.CommandContext(ctx, "git", "merge-base", base, "HEAD").Run() == nil
}

// settingsRule is the rule about changes to what decides which findings count.
const settingsRule = "repo/settings-changed"

// maxSettings limits the changed settings in the summary, so that other parts have room.
const maxSettings = 50

// settings returns the part of the summary about changed settings; "" if none changed.
func (r *result) settings() string {
	var lines []string
	for _, f := range r.Findings {
		if f.Rule == settingsRule {
			lines = append(lines, fmt.Sprintf("* %s: %s", markdown.Code(fmt.Sprintf("%s:%d", f.File, f.Line)), markdown.Text(f.Message)))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	if more := len(lines) - maxSettings; more > 0 {
		lines = append(lines[:maxSettings], fmt.Sprintf("* and %d more, which the log of this step lists", more))
	}
	return "> [!WARNING]\n> This change also changes what salint checks.\n\n" + strings.Join(lines, "\n")
}
