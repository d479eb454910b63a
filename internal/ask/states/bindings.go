package states

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
)

// addBindings adds the bindings of roles that a changed file makes outside of manifests, by commands or modules of Terraform for instance,
// if a line near them is new: they are read for their subjects only, so what they grant is not compared.
func (c *contents) addBindings(r *change.Report, file string, text []byte) {
	if !textpaths.IsScript(file) && !repo.IsManifest(file) {
		return // code of a controller, which decides when it runs
	}
	found := grants.Read(file, text, func(string) bool { return false })
	if len(found) == 0 {
		return
	}
	before, _ := c.before.Text(file) // a new file had no lines
	lines, isNew, isCompared := bytes.Split(text, []byte("\n")), newLines(before, text), comparedLines(file, text)
	for _, grant := range found {
		first, last := statement(lines, grant.Position.Line)
		if isCompared[grant.Position.Line] || !anyIn(isNew, first, last) {
			continue
		}
		who := access.SubjectName(grant.Subject)
		if strings.Contains(who, grants.Unknown) {
			who = "a subject that is filled in"
		}
		r.NotRead.AddContent(grant.Position, fmt.Sprintf("a binding of a role to %s outside of manifests is new or changed, and was not compared", who))
	}
}

// aroundSubject is the number of lines before and after the subject of a binding in a text among which its role is expected.
const aroundSubject = 12

// commandThatBinds matches a command, which has its role and its subject in one line, or in lines that a backslash joins.
var commandThatBinds = lazyregexp.New(`-to-(?:user|group)\b|\bcreate\s+(?:cluster)?rolebindings?\b`)

// statement returns the first and the last of the lines, from 1, that a binding with its subject in a line consists of.
func statement(lines [][]byte, line int) (first, last int) {
	first, last = line, line
	for isContinued(lines, first-1) {
		first--
	}
	for isContinued(lines, last) {
		last++
	}
	if commandThatBinds().Match(bytes.Join(lines[max(first-1, 0):min(last, len(lines))], nil)) {
		return first, last
	}
	return line - aroundSubject, line + aroundSubject
}

// isContinued reports whether a line, from 1, ends with a backslash.
func isContinued(lines [][]byte, line int) bool {
	return line >= 1 && line <= len(lines) && bytes.HasSuffix(bytes.TrimSpace(lines[line-1]), []byte(`\`))
}

// newLines returns the lines of a text, from 1, that an earlier text did not have.
func newLines(before, after []byte) map[int]bool {
	had := map[string]bool{}
	for line := range bytes.Lines(before) {
		had[string(bytes.TrimSpace(line))] = true
	}
	found, n := map[int]bool{}, 0
	for line := range bytes.Lines(after) {
		n++
		found[n] = !had[string(bytes.TrimSpace(line))]
	}
	return found
}

// comparedLines returns the lines of objects for which controllers make bindings, and of values of charts: these are compared as objects.
func comparedLines(file string, text []byte) map[int]bool {
	lines := map[int]bool{}
	if !repo.IsManifest(file) {
		return lines
	}
	kinds := grants.Kinds()
	for _, doc := range manifest.Scan(file, text).Docs {
		if doc.Kind() != "" && !slices.Contains(kinds, doc.Kind()) {
			continue
		}
		first, _ := doc.File.Position(doc.Span.Start)
		last, _ := doc.File.Position(doc.Span.End)
		for line := first; line <= last; line++ {
			lines[line] = true
		}
	}
	return lines
}

func anyIn(lines map[int]bool, from, to int) bool {
	for line := from; line <= to; line++ {
		if lines[line] {
			return true
		}
	}
	return false
}
