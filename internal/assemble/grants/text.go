package grants

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

const (
	// linesBefore and linesAfter limit the lines around a subject in which a binding is looked for.
	linesBefore, linesAfter = 40, 15
	// linesOfSubject limits the lines of a subject on each side of its kind.
	linesOfSubject = 5
)

var (
	subjectKind = lazyregexp.New(`(?i)\bkind["']?\s*[:=]\s*["']?(ServiceAccount|User|Group)\b`)
	subjectWord = lazyregexp.New(`(?i)\bsubjects?\b`)
	nameField   = lazyregexp.New(`(?i)(?:^|[\s{,(-])["']?name["']?\s*[:=]\s*("[^"]*"|'[^']*'|\{\{.*?\}\}[^\s,}]*|[^\s,}#)]+)`)
	spaceField  = lazyregexp.New(`(?i)(?:^|[\s{,(-])["']?namespace["']?\s*[:=]\s*("[^"]*"|'[^']*'|\{\{.*?\}\}[^\s,}]*|[^\s,}#)]+)`)
)

// programs are the extensions of languages in which a name without quotes is an expression.
var programs = []string{".tf", ".tofu", ".hcl", ".py", ".ts", ".js", ".mjs", ".go", ".cs", ".java", ".kt", ".cue", ".jsonnet", ".libsonnet", ".star", ".k", ".pkl", ".nix", ".rb", ".groovy"}

// isManifest reports whether a file has manifests, by its name.
func isManifest(file string) bool {
	return objects.IsManifestName(file) || file == objects.StandardInput
}

// ofText returns the subjects of bindings in a text, such as a heredoc, a module of Terraform, or a template. Of a manifest, these are the texts
// in its block scalars.
func ofText(file string, data []byte) []Grant {
	lines := bytes.Split(data, []byte("\n"))
	inText := func(int) bool { return true }
	if isManifest(file) {
		if !strings.HasSuffix(file, ".yaml") && !strings.HasSuffix(file, ".yml") {
			return nil
		}
		inBlock := manifest.BlockScalarLines(lines)
		inText = func(i int) bool { return inBlock[i] }
	}
	isProgram := slices.Contains(programs, path.Ext(file))
	var found []Grant
	for i, line := range lines {
		match := subjectKind().FindSubmatchIndex(line)
		if match == nil || !inText(i) || isComment(line) || !isSubject(lines, i) {
			continue
		}
		text := subjectAt(lines, i, match[0])
		s := rbac.Subject{Kind: string(line[match[2]:match[3]]), Name: valueOf(nameField().FindSubmatch(text), isProgram), Namespace: valueOf(spaceField().FindSubmatch(text), isProgram)}
		if s.Name == "" {
			s.Name = Unknown
		}
		found = append(found, Grant{objects.Position{File: file, Line: i + 1, Column: 1}, s})
	}
	return found
}

// isSubject reports whether the kind on a line is that of a subject of a binding.
func isSubject(lines [][]byte, at int) bool {
	around := bytes.Join(lines[max(0, at-linesBefore):min(len(lines), at+linesAfter)], []byte("\n"))
	near := bytes.Join(lines[max(0, at-2*linesOfSubject):at+1], []byte("\n"))
	return bindingWord().Match(around) && subjectWord().Match(near)
}

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
	first, last := at, at
	for first > 0 && at-first < linesOfSubject && !begins(lines[first]) && !subjectWord().Match(lines[first-1]) && !ends(lines[first-1]) {
		first--
	}
	for last+1 < len(lines) && last-at < linesOfSubject && !begins(lines[last+1]) && !ends(lines[last+1]) {
		last++
	}
	return bytes.Join(lines[first:last+1], []byte("\n"))
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
