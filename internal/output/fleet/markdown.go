package fleet

import (
	"fmt"
	"io"
	"strings"

	"github.com/salint/salint/internal/output/markdown"
)

// markdown writes a comment or a job summary. What does not fit is left out by whole rows, and counted.
func (f *Fleet) markdown(w io.Writer) error {
	var c markdown.Comment
	c.Part("# Service accounts in all repositories\n\n")
	for _, line := range f.headline() {
		c.Part(markdown.Text(line) + "\n\n")
	}
	f.markdownProblems(&c)
	left := rows(&c, "## Rules\n\n| rule | errors | warnings | notes | fixable | repositories |\n|---|---:|---:|---:|---:|---:|\n", f.ruleRows())
	left += rows(&c, "\n## Repositories\n\n| repository | target | state | errors | warnings | notes | fixable"+f.newColumn(" | new | gone")+
		" |\n|---|---|---|---:|---:|---:|---:|"+f.newColumn("---:|---:|")+"\n", f.repositoryRows())
	left += rows(&c, "\n## Extensions\n\n| release | model | extensions | repositories |\n|---|---|---:|---:|\n", f.releaseRows())
	left += rows(&c, "\n## Cluster-admin\n\n| subject | repositories |\n|---|---|\n", f.adminRows())
	left += rows(&c, "\n## Possibly\n\n"+f.possibleText()+".\n\n| repository | what |\n|---|---|\n", f.possibleRows())
	if left > 0 {
		c.Close(fmt.Sprintf("\n%d more rows are not shown: `--format json` lists all.\n", left))
	}
	_, err := io.WriteString(w, c.String())
	return err
}

func (f *Fleet) markdownProblems(c *markdown.Comment) {
	var lines []string
	for _, r := range f.stale() {
		lines = append(lines, fmt.Sprintf("* stale: %s: its report %s\n", markdown.Text(r.Name), markdown.Text(r.Stale)))
	}
	for _, r := range f.partial() {
		lines = append(lines, fmt.Sprintf("* partial: %s: the run was limited to %s\n", markdown.Text(r.Name), markdown.Text(r.selection().String())))
	}
	for _, m := range f.Missing {
		lines = append(lines, fmt.Sprintf("* missing: %s: %s\n", markdown.Text(m.Name), markdown.Text(m.Why)))
	}
	for _, p := range f.Problems {
		lines = append(lines, fmt.Sprintf("* not counted: %s %s\n", markdown.Code(p.File), markdown.Text(p.Text)))
	}
	if left := rows(c, "## This report is incomplete\n\n", lines); left > 0 {
		c.Part(fmt.Sprintf("* %d more\n", left))
	}
	if len(lines) > 0 {
		c.Part("\n")
	}
}

// rows writes a heading and as many rows as fit, and returns how many do not. Without rows, it writes nothing.
func rows(c *markdown.Comment, heading string, lines []string) (left int) {
	if len(lines) == 0 {
		return 0
	}
	if !c.Fits(heading + lines[0]) {
		return len(lines)
	}
	c.Part(heading)
	for i, line := range lines {
		if !c.Part(line) {
			return len(lines) - i
		}
	}
	return 0
}

func (f *Fleet) ruleRows() []string {
	var lines []string
	for _, r := range f.Rules() {
		lines = append(lines, fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", markdown.Code(r.Name), r.Errors, r.Warnings, r.Notes, r.Fixable(), r.Repositories))
	}
	return lines
}

func (f *Fleet) repositoryRows() []string {
	var lines []string
	for _, r := range f.worstFirst() {
		change := " - | - |"
		if r.Compared {
			change = fmt.Sprintf(" %d | %s |", r.New, r.goneText())
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d |%s\n", markdown.Text(r.Name), markdown.Text(r.Target), markdown.Text(r.State()),
			r.Errors, r.Warnings, r.Notes, r.Fixable(), f.newColumn(change)))
	}
	return lines
}

func (f *Fleet) releaseRows() []string {
	var lines []string
	for _, r := range f.Releases() {
		lines = append(lines, fmt.Sprintf("| %s | %s | %d | %d |\n", markdown.Text(r.Target), markdown.Text(r.Model), r.Extensions, r.Repositories))
	}
	return lines
}

func (f *Fleet) possibleRows() []string {
	var lines []string
	for _, p := range f.Possible() {
		lines = append(lines, fmt.Sprintf("| %s | %s |\n", markdown.Text(p.Repository), markdown.Text(p.String())))
	}
	return lines
}

func (f *Fleet) adminRows() []string {
	var lines []string
	for _, g := range f.adminGroups() {
		where := markdown.Text(g.where(textWhere))
		lines = append(lines, fmt.Sprintf("| %s | %s |\n", markdown.Code(g.Name()), strings.TrimSpace(where)))
	}
	return lines
}
