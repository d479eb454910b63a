package report

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
)

// Escaping for the runner of GitHub workflows, which otherwise ends a command's message or a property there. See escapeData
// and escapeProperty in the toolkit: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// maxAnnotations is how many errors, warnings, and notices of a step GitHub shows. It drops the others without a word.
const maxAnnotations = 10

// writeGitHub writes workflow commands, which annotate the lines of a pull request. GitHub requires paths relative to the
// root of the repository, whatever the working directory of the step is. Findings that GitHub would not show are lines of the log.
func writeGitHub(w *bufio.Writer, r *finding.Result, o Options) error {
	notices := 0
	if o.Headline != "" {
		notices++
		fmt.Fprintf(w, "::notice title=salint::%s\n", githubData.Replace(safetext.Text(o.Headline)))
	}
	if r.Run != nil && r.Run.Limits() != "" {
		notices++
		fmt.Fprintf(w, "::notice title=salint run::%s\n", githubData.Replace(safetext.Text(r.Run.Limits())))
	}
	findings := gathered(r.Findings, o)
	shown, others := githubShown(findings, notices)
	if len(others) > 0 {
		shown, others = githubShown(findings, notices+1)
		fmt.Fprintf(w, "::notice title=salint::GitHub shows %d errors, warnings, and notices of a step each. %s only in the log and in other reports.\n",
			maxAnnotations, words.CountOf(len(others), "further finding is", "further findings are"))
	}
	for _, f := range shown {
		fmt.Fprintf(w, "::%s %s::%s\n", githubCommand(f.Severity), githubProperties(f), githubData.Replace(githubMessage(r, f)))
	}
	for _, f := range others {
		fmt.Fprintf(w, "%s: %s:%d: %s [%s]\n", f.Severity, safetext.Text(f.File), f.Range.Line, safetext.Text(f.Message), safetext.Text(f.Rule))
	}
	for _, f := range r.Suppressed {
		message := safetext.Text("suppressed "+f.Severity.String()+": "+f.Message) + "\n" + safetext.Text(suppressedBy(f.Suppression, paths{}))
		fmt.Fprintf(w, "::notice %s::%s\n", githubProperties(f), githubData.Replace(message))
	}
	if r.Summary.Unchecked != "" {
		fmt.Fprintf(w, "::notice title=salint::%s\n", githubData.Replace(r.Coverage().Gap()))
	}
	for _, line := range changeLines(r, paths{}) {
		fmt.Fprintf(w, "::notice title=salint changes::%s\n", githubData.Replace(line))
	}
	if r.Permissions != nil && r.Permissions.Made {
		fmt.Fprintf(w, "::notice title=salint permissions::%s\n", githubData.Replace(githubPermissions(r)))
	}
	return nil
}

// githubShown divides the open findings into those that GitHub shows after a number of notices, and the others. Both keep their order.
func githubShown(findings []finding.Finding, notices int) (shown, others []finding.Finding) {
	count := map[string]int{githubCommand(finding.Note): notices}
	for _, f := range findings {
		if f.Fixed() {
			continue
		}
		if command := githubCommand(f.Severity); count[command] < maxAnnotations {
			count[command]++
			shown = append(shown, f)
			continue
		}
		others = append(others, f)
	}
	return shown, others
}

// githubMessage returns the message with the command that fixes the finding, and the address of the page about the rule.
func githubMessage(r *finding.Result, f finding.Finding) string {
	message := safetext.Text(f.Message)
	if also := finding.AlsoUnchecked(f); also != "" {
		message += "\n" + safetext.Text(also)
	}
	if f.Fix != nil {
		message += "\n" + offerText(f.Fix)
		if command := fixCommandOf(r, f.Fix.Kind); command != "" {
			message += "\n" + safetext.Text(command)
		}
	}
	for _, rule := range r.Rules {
		if rule.Name == f.Rule && rule.HelpURI != "" {
			message += "\n" + rule.HelpURI
		}
	}
	return message
}

// fixCommandOf returns the command line that makes the fixes of a kind; "" if there is none.
func fixCommandOf(r *finding.Result, kind finding.FixKind) string {
	if flag := "--" + kind.Flag(); kind.Flag() != "" && !strings.Contains(r.FixCommand, flag) {
		return strings.Replace(r.FixCommand, "--fix", "--fix "+flag, 1)
	}
	return r.FixCommand
}

// githubPermissions writes one annotation for all permissions, because a step shows at most ten.
func githubPermissions(r *finding.Result) string {
	var lines []string
	for _, line := range permissionLines(r.Permissions, paths{}, false) {
		text := safetext.Text(line.text)
		if line.mark == gain || line.mark == loss {
			text = "    " + string(line.mark) + " " + text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

func githubCommand(s finding.Severity) string {
	if s == finding.Note {
		return "notice"
	}
	return s.String()
}

func githubProperties(f finding.Finding) string {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(safetext.Text(value)))
	}
	if f.File != "" && f.File != repo.StandardInput {
		add("file", f.File)
		place := f.Range.Whole()
		// The runner rejects columns if the range has several lines.
		oneLine := place.EndLine == place.Line && f.Range.Column > 0
		add("line", strconv.Itoa(place.Line))
		if oneLine {
			add("col", strconv.Itoa(place.Column))
		}
		add("endLine", strconv.Itoa(place.EndLine))
		if oneLine {
			add("endColumn", strconv.Itoa(place.EndColumn))
		}
	}
	add("title", "salint "+f.Rule)
	return strings.Join(properties, ",")
}
