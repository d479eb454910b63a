package objects

import (
	"regexp"
	"sort"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// MayName reports whether what stands at the place may be the account. It may not where it is the name of the object itself
// or of a role, or where it is known which other accounts it stands for.
func (m Mention) MayName(a Account) bool {
	if m.Ref == "" && (m.is("metadata.name") || m.is("roleRef.name")) {
		return false
	}
	if m.Means == nil {
		return true
	}
	for _, meant := range m.Means {
		if (meant.Name == "" || meant.Name == a.Name) && SameNamespace(meant.Namespace, a.Namespace) {
			return true
		}
	}
	return false
}

// MayNameOther tells the same of what is no account, such as a role.
func (m Mention) MayNameOther() bool {
	return m.Ref != "" || m.Means == nil && !m.is("metadata.name")
}

func (m Mention) is(path string) bool { return m.Path.String() == path }

// A template of a chart is no YAML before it is rendered, but some of its lines can only become one thing.
var (
	flowName    = regexp.MustCompile(`^(metadata|roleRef):[ ]*\{([^{}]*,)?[ ]*name:[ ]*["']?$`)
	blockName   = regexp.MustCompile(`^[ ]+name:[ ]*["']?$`)
	topLevel    = regexp.MustCompile(`^(metadata|roleRef):[ ]*(#.*)?$`)
	subjectName = regexp.MustCompile(`^[ ]*(-[ ]+|[ ]+)name:[ ]*["']?$`)
	flowSubject = regexp.MustCompile(`^[ ]*-[ ]+\{([^{}]*,)?[ ]*name:[ ]*["']?$`)
	inFlow      = regexp.MustCompile(`[{,][ ]*namespace:[ ]*["']?([a-z0-9-]+)["']?[ ]*[,}]`)
	inBlock     = regexp.MustCompile(`^[ ]*(?:-[ ]+)?namespace:[ ]*["']?([a-z0-9-]+)["']?[ ]*(?:#.*)?$`)
	anyInBlock  = regexp.MustCompile(`^[ ]*(?:-[ ]+)?namespace:`)
)

// maxFieldLines is how far from a name the lines are looked at that tell what it is the name of.
const maxFieldLines = 200

// layout are the lines of a document that cannot be parsed.
type layout struct {
	lines  []string
	starts []int
}

func newLayout(text []byte) *layout {
	var l layout
	at := 0
	for line := range strings.Lines(string(text)) {
		l.lines, l.starts = append(l.lines, strings.TrimRight(line, "\r\n")), append(l.starts, at)
		at += len(line)
	}
	return &l
}

// describe says what a place is, as far as the lines tell.
func (l *layout) describe(m *Mention, at int) {
	n := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > at }) - 1
	before := l.lines[n][:min(at-l.starts[n], len(l.lines[n]))]
	lines := l.lines[max(0, n-maxFieldLines):min(len(l.lines), n+maxFieldLines)]
	n = min(n, maxFieldLines)
	switch {
	case flowName.MatchString(before):
		m.Path = manifest.Path{before[:strings.IndexByte(before, ':')], "name"}
	case blockName.MatchString(before) && topLevel.MatchString(parent(lines, n)):
		key, _, _ := strings.Cut(parent(lines, n), ":")
		m.Path = manifest.Path{key, "name"}
	case flowSubject.MatchString(before) && listOf(lines, n) == "subjects:":
		written := inFlow.FindAllStringSubmatch(lines[n], -1)
		m.means(written, strings.Count(lines[n], "namespace:"))
	case subjectName.MatchString(before):
		first, last := item(lines, n)
		if first >= 0 && listOf(lines, first) == "subjects:" {
			m.means(namespaces(lines[first:last]))
		}
	}
}

// means notes that a subject is of the namespace that its lines write, if they write one and no other.
func (m *Mention) means(written [][]string, fields int) {
	m.Path = manifest.Path{"subjects", "name"}
	if len(written) == 1 && fields == 1 {
		m.Means = []Account{{Namespace: written[0][1]}}
	}
}

// namespaces finds the namespaces that lines write, and counts how often they do, filled in later or not.
func namespaces(lines []string) (written [][]string, fields int) {
	for _, line := range lines {
		if found := inBlock.FindStringSubmatch(line); found != nil {
			written = append(written, found)
		}
		if anyInBlock.MatchString(line) {
			fields++
		}
	}
	return written, fields
}

// parent is the next line above that stands further to the left; "" when that is not at the margin.
func parent(lines []string, n int) string {
	own := indentation(lines[n])
	for i := n - 1; i >= 0; i-- {
		if passes(lines[i]) || indentation(lines[i]) >= own {
			continue
		}
		if indentation(lines[i]) > 0 {
			return ""
		}
		return lines[i]
	}
	return ""
}

// item finds the first line of the item of a list that a field is in, and the line behind its last. First is negative
// where the field is in no item itself.
func item(lines []string, n int) (first, last int) {
	column := fieldColumn(lines[n])
	for last = n + 1; last < len(lines); last++ {
		if !passes(lines[last]) && (indentation(lines[last]) < column) {
			break
		}
	}
	for first = n; first >= 0; first-- {
		switch {
		case passes(lines[first]) && first != n:
		case isItem(lines[first]) && fieldColumn(lines[first]) == column:
			return first, last
		case indentation(lines[first]) < column:
			return -1, last
		}
	}
	return -1, last
}

// listOf is the key at the margin whose list an item is in; "" where there is none.
func listOf(lines []string, n int) string {
	dash := indentation(lines[n])
	for i := n - 1; i >= 0; i-- {
		in := indentation(lines[i])
		if passes(lines[i]) || in > dash || in == dash && isItem(lines[i]) {
			continue
		}
		if in > 0 {
			return ""
		}
		return strings.TrimRight(lines[i], " ")
	}
	return ""
}

// passes tells of lines that write nothing: empty ones, comments, and actions of a template alone.
func passes(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}")
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func isItem(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), "- ") }

// fieldColumn is where the key on a line begins, behind the dash of an item.
func fieldColumn(line string) int {
	if !isItem(line) {
		return indentation(line)
	}
	return len(line) - len(strings.TrimLeft(strings.TrimLeft(line, " ")[1:], " "))
}
