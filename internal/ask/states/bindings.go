package states

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// addBindings adds the bindings of roles that a changed file makes outside of manifests, by commands or modules of Terraform for instance,
// if one of them is new or changed: they are read for their subjects only, so what they grant is not compared.
func (c *contents) addBindings(r *change.Report, file string, text []byte) {
	if !textpaths.IsScript(file) && !repo.IsManifest(file) {
		return // code of a controller, which decides when it runs
	}
	isFolder := func(string) bool { return false }
	found := grants.Read(file, text, isFolder)
	if len(found) == 0 {
		return
	}
	before, _ := c.before.Text(file) // a new file had none
	known := map[string]int{}
	had := split(before)
	for _, grant := range grants.Read(file, before, isFolder) {
		known[had.at(grant.Position.Line)]++
	}
	now := split(text)
	isCompared := c.comparedLines(file, text, r.NotRead)
	for _, grant := range found {
		statement := now.at(grant.Position.Line)
		if known[statement]--; isCompared[grant.Position.Line] || known[statement] >= 0 && now.sets(statement) == had.sets(statement) {
			continue
		}
		who := access.SubjectName(grant.Subject)
		if strings.Contains(who, grants.Unknown) {
			who = "a subject that is filled in"
		}
		r.NotRead.AddContent(grant.Position, fmt.Sprintf("a binding of a role to %s outside of manifests is new or changed, and was not compared", who))
	}
}

// statements are the lines of a text with commands or blocks.
type statements struct {
	lines [][]byte
	// setBy are the lines that set a variable, by its name.
	setBy map[string]string
}

// maxVariables limits the variables that are looked for, each in all lines. Beyond it, the whole text counts as what sets them.
const maxVariables = 50

var (
	// commandThatBinds matches a command, which has its role and its subject in one line, or in lines that a backslash joins.
	commandThatBinds = lazyregexp.New(`-to-(?:user|group)\b|\bcreate\s+(?:cluster)?rolebindings?\b|\bset\s+subject\b`)
	// blockStart matches the first line of a block: of a resource of Terraform, of a document of YAML, or after the mark of a heredoc.
	blockStart = lazyregexp.New(`^(?:resource|module|data|locals|variable)\b.*\{\s*$|^\s*---|<<`)
	// blockEnd matches the last line of a resource, of a document, or of a heredoc.
	blockEnd = lazyregexp.New(`^\}\s*$|^\s*---|^\s*[A-Z_]{2,}\s*$`)
	// variable matches a name that something else sets: of a shell, a template, or Terraform.
	variable = lazyregexp.New(`\$\{?\(?(\w+)|\b(?:var|local)\.(\w+)|\{\{[^}]*?\.?(\w+)\s*\}\}`)
)

// aroundSubject is the number of lines of the longest block before and after the subject of a binding.
const aroundSubject = 60

// at returns the statement with the subject of a binding in a line, from 1, with single blanks.
func (s statements) at(line int) string {
	first, last := line, line
	for s.isContinued(first - 1) {
		first--
	}
	for s.isContinued(last) {
		last++
	}
	if text := s.text(first, last); commandThatBinds().MatchString(text) {
		return text
	}
	for first > max(1, line-aroundSubject) && !s.matches(first, blockStart()) {
		first--
	}
	for last < min(len(s.lines), line+aroundSubject) && !s.matches(last, blockEnd()) {
		last++
	}
	return s.text(first, last)
}

// sets returns the lines that set the variables of a statement.
func (s statements) sets(statement string) string {
	var found []string
	for _, match := range variable().FindAllStringSubmatch(statement, -1) {
		name := strings.Join(match[1:], "")
		if set, known := s.setBy[name]; known {
			found = append(found, set)
			continue
		}
		if len(s.setBy) >= maxVariables {
			return s.whole()
		}
		var sets []string
		isSet := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b\s*[:=?]|"` + regexp.QuoteMeta(name) + `"`)
		for i := range s.lines {
			if s.matches(i+1, isSet) {
				sets = append(sets, s.text(i+1, i+3)) // the value can be in a line below, as that of a variable of Terraform
			}
		}
		s.setBy[name] = strings.Join(sets, "\n")
		found = append(found, s.setBy[name])
	}
	return strings.Join(found, "\n")
}

// whole returns all lines, which are joined once.
func (s statements) whole() string {
	const all = "" // no variable has this name
	if _, known := s.setBy[all]; !known {
		s.setBy[all] = s.text(1, len(s.lines))
	}
	return s.setBy[all]
}

// split returns the statements of a text.
func split(text []byte) statements {
	return statements{bytes.Split(text, []byte("\n")), map[string]string{}}
}

// text returns lines as one, with single blanks.
func (s statements) text(first, last int) string {
	var words []string
	for _, line := range s.lines[max(first-1, 0):min(last, len(s.lines))] {
		words = append(words, strings.Fields(strings.TrimSuffix(strings.TrimSpace(string(line)), `\`))...)
	}
	return strings.Join(words, " ")
}

func (s statements) matches(line int, pattern *regexp.Regexp) bool {
	return line >= 1 && line <= len(s.lines) && pattern.Match(s.lines[line-1])
}

// isContinued reports whether a line, from 1, ends with a backslash.
func (s statements) isContinued(line int) bool {
	return line >= 1 && line <= len(s.lines) && bytes.HasSuffix(bytes.TrimSpace(s.lines[line-1]), []byte(`\`))
}

// comparedLines returns the lines of objects for which controllers make bindings, and of values with which a unit renders a chart: these are
// compared as objects. Of a document that is not valid, and is reported as that, nothing more is said.
func (c *contents) comparedLines(file string, text []byte, notRead unread.Parts) map[int]bool {
	lines := map[int]bool{}
	if !repo.IsManifest(file) {
		return lines
	}
	kinds := grants.Kinds()
	isRead := slices.ContainsFunc(c.after.Units, func(u *objects.Unit) bool { return u.Kind != objects.PlainUnit && u.Reads(file) })
	isReported := slices.ContainsFunc(notRead, func(n unread.Part) bool { return n.Place.File == file && n.Unread() })
	for _, doc := range manifest.Scan(file, text).Docs {
		isInvalid := isReported && doc.Parse() != nil
		if !slices.Contains(kinds, doc.Kind()) && !(doc.Kind() == "" && isRead) && !isInvalid {
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
