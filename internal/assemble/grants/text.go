package grants

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

const (
	// linesBefore and linesAfter limit the lines around a subject in which a binding is looked for.
	linesBefore, linesAfter = 40, 15
	// linesOfList limits the lines of a list of subjects.
	linesOfList = 400
	// linesOfSubject limits the lines of a subject on each side of its kind.
	linesOfSubject = 5
)

var (
	subjectKind = lazyregexp.New(`(?i)\bkind["']?\s*[:=]\s*["']?(?:\w+\.)?(ServiceAccount|User|Group)(?:Kind)?\b`)
	subjectWord = lazyregexp.New(`(?i)\bsubjects?\b`)
	nameField   = lazyregexp.New(`(?i)(?:^|[\s{,(-])["']?name["']?\s*[:=]\s*("[^"]*"|'[^']*'|\{\{.*?\}\}[^\s,}]*|[^\s,}#)]+)`)
	spaceField  = lazyregexp.New(`(?i)(?:^|[\s{,(-])["']?namespace["']?\s*[:=]\s*("[^"]*"|'[^']*'|\{\{.*?\}\}[^\s,}]*|[^\s,}#)]+)`)
)

// programs are the extensions of languages in which a name without quotes is an expression.
var programs = []string{".tf", ".tofu", ".hcl", ".py", ".ts", ".js", ".mjs", ".go", ".cs", ".java", ".kt", ".cue", ".jsonnet", ".libsonnet", ".star", ".k", ".pkl", ".nix", ".rb", ".groovy"}

// ofText returns the subjects of bindings in a text that is no manifest, or that cannot be parsed, such as a heredoc, a module of Terraform, or
// a template. It begins after a number of lines of the file.
func ofText(file string, data []byte, after int) []Grant {
	t := text{isProgram: slices.Contains(programs, path.Ext(file)), lines: bytes.Split(data, []byte("\n"))}
	if t.isProgram {
		t.lines = withoutBlockComments(t.lines)
	}
	return t.grants(func(line int) objects.Position {
		return objects.Position{File: file, Line: after + line + 1, Column: 1}
	})
}

// withoutBlockComments returns the lines of a program, those of comments over several lines empty.
func withoutBlockComments(lines [][]byte) [][]byte {
	var kept [][]byte
	open := false
	for _, line := range lines {
		open = open || bytes.HasPrefix(bytes.TrimSpace(line), []byte("/*"))
		if !open {
			kept = append(kept, line)
			continue
		}
		kept = append(kept, nil)
		open = !bytes.Contains(line, []byte("*/"))
	}
	return kept
}

// text is a text in which subjects are looked for.
type text struct {
	lines     [][]byte
	isProgram bool
}

// grants returns the subjects of bindings in a text. At returns the position of a line, from 0.
func (t text) grants(at func(line int) objects.Position) []Grant {
	var found []Grant
	for i, line := range t.lines {
		match := subjectKind().FindSubmatchIndex(line)
		if isComment(line) {
			continue
		}
		if match == nil {
			found = append(found, t.called(i, at)...)
			continue
		}
		if inner, is := quotedText(line); is {
			found = append(found, inner.grants(func(int) objects.Position { return at(i) })...)
			continue
		}
		if !isSubject(t.lines, i) {
			continue
		}
		written := bytes.ReplaceAll(subjectAt(t.lines, i, match[0]), []byte(`\n`), []byte(" "))
		s := rbac.Subject{Kind: string(line[match[2]:match[3]]), Name: valueOf(nameField().FindSubmatch(written), t.isProgram), Namespace: valueOf(spaceField().FindSubmatch(written), t.isProgram)}
		if s.Name == "" {
			s.Name = Unknown
		}
		found = append(found, Grant{Position: at(i), Subject: s})
	}
	return found
}

// quotedText returns the text of a line that has several lines in one string, as in "kind: Role\nmetadata:\n".
func quotedText(line []byte) (inner text, is bool) {
	if !escapedBreak().Match(line) {
		return text{}, false
	}
	unescaped := strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\t`, "\t").Replace(string(line))
	return text{lines: bytes.Split([]byte(unescaped), []byte("\n"))}, true
}

// escapedBreak matches a line break in a string with text behind it.
var escapedBreak = lazyregexp.New(`\\n["']*[^\s"'\\]`)

// isSubject reports whether the kind on a line is that of a subject of a binding.
func isSubject(lines [][]byte, at int) bool {
	first := max(0, at-linesOfList)
	list := at
	for list >= first && !subjectWord().Match(lines[list]) && (list == at || !isBoundary(lines[list])) {
		list--
	}
	if list < first || !subjectWord().Match(lines[list]) {
		return false
	}
	around := bytes.Join(lines[max(0, list-linesBefore):min(len(lines), at+linesAfter)], []byte("\n"))
	return bindingWord().Match(around)
}

// isBoundary reports whether a line is between two objects: the end of a heredoc, or a separator or the beginning of an object.
func isBoundary(line []byte) bool { return boundary().Match(line) }

var boundary = lazyregexp.New(`^\s*(?:---|["']?apiVersion["']?\s*:|[A-Z_]{3,}\s*$)`)

// subjectAt returns the lines of the subject whose kind is at an offset of a line.
func subjectAt(lines [][]byte, at, offset int) []byte {
	line := lines[at]
	if open := bytes.LastIndexByte(line[:offset], '{'); open >= 0 && bytes.IndexByte(line[offset:], '}') >= 0 {
		end := offset + bytes.LastIndexByte(line[offset:], '}')
		if next := bytes.Index(line[offset:], []byte("}, {")); next >= 0 {
			end = offset + next
		}
		return line[open : end+1]
	}
	if list := subjectWord().FindIndex(line[:offset]); list != nil {
		return bytes.Join(append([][]byte{line[list[0]:]}, lines[at+1:lastOfSubject(lines, at)+1]...), []byte("\n"))
	}
	first, last := at, lastOfSubject(lines, at)
	for first > 0 && at-first < linesOfSubject && !begins(lines[first]) && !subjectWord().Match(lines[first-1]) && !ends(lines[first-1]) {
		first--
	}
	return bytes.Join(lines[first:last+1], []byte("\n"))
}

// lastOfSubject returns the last line of the subject whose kind is on a line.
func lastOfSubject(lines [][]byte, at int) int {
	last := at
	for last+1 < len(lines) && last-at < linesOfSubject && !begins(lines[last+1]) && !ends(lines[last+1]) {
		last++
	}
	return last
}

// begins reports whether a line begins an item of a list, or a block.
func begins(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("- ")) || bytes.HasSuffix(line, []byte("{"))
}

// ends reports whether a line ends a subject: the end of a block, of a heredoc, or of a manifest.
func ends(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '}' || line[0] == ']' || bytes.HasPrefix(line, []byte("---")) || bytes.HasSuffix(line, []byte(":")) || !bytes.ContainsAny(line, ":=")
}

// valueOf returns the value of a field, with an expression as a placeholder.
func valueOf(match [][]byte, isProgram bool) string {
	if match == nil {
		return ""
	}
	text := string(match[1])
	quoted := strings.ContainsAny(text[:1], `"'`)
	if text = strings.Trim(text, `"'`); isProgram && !quoted || strings.ContainsAny(text, "<>%") {
		return Unknown
	}
	return filledIn(text)
}
