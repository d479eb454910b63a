package uses

import (
	"sort"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// CanName reports whether the text at the place can be the account. It cannot if it is the name of the containing object, of a
// role, or of the object that a patch changes, if it is known to hold something else, or if the accounts that it can become are known and differ.
func (m Place) CanName(a objects.Account) bool {
	if m.Selects || m.Unrelated || m.Ref == "" && (m.is("metadata.name") || m.is("roleRef.name")) {
		return false
	}
	if m.Accounts == nil {
		return true
	}
	for _, meant := range m.Accounts {
		if (meant.Name == "" || meant.Name == a.Name) && objects.SameNamespace(meant.Namespace, a.Namespace) {
			return true
		}
	}
	return false
}

// CanNameOther reports the same for objects that are not accounts, such as a role.
func (m Place) CanNameOther() bool {
	if m.Comment {
		return false
	}
	return !m.Selects && m.Ref != "" || !m.Selects && m.Accounts == nil && !m.is("metadata.name")
}

func (m Place) is(path string) bool { return m.Path.String() == path }

// A template of a chart is not YAML before it is rendered, but for some of its lines only one result is possible.
var (
	flowName    = lazyregexp.New(`^(metadata|roleRef):[ ]*\{([^{}]*,)?[ ]*name:[ ]*["']?$`)
	blockName   = lazyregexp.New(`^[ ]+name:[ ]*["']?$`)
	topLevel    = lazyregexp.New(`^(metadata|roleRef):[ ]*(#.*)?$`)
	subjectName = lazyregexp.New(`^[ ]*(-[ ]+|[ ]+)name:[ ]*["']?$`)
	flowSubject = lazyregexp.New(`^[ ]*-[ ]+\{([^{}]*,)?[ ]*name:[ ]*["']?$`)
	inFlow      = lazyregexp.New(`[{,][ ]*namespace:[ ]*["']?([a-z0-9-]+)["']?[ ]*[,}]`)
	inBlock     = lazyregexp.New(`^[ ]*(?:-[ ]+)?namespace:[ ]*["']?([a-z0-9-]+)["']?[ ]*(?:#.*)?$`)
	anyInBlock  = lazyregexp.New(`^[ ]*(?:-[ ]+)?namespace:`)
)

// maxFieldLines limits the lines around a name that are read to find what it names.
const maxFieldLines = 200

// layout holds the lines of a document that cannot be parsed.
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

// describe sets the field of a place as far as the lines determine it.
func (l *layout) describe(m *Place, at int) {
	n := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > at }) - 1
	before := l.lines[n][:min(at-l.starts[n], len(l.lines[n]))]
	lines := l.lines[max(0, n-maxFieldLines):min(len(l.lines), n+maxFieldLines)]
	n = min(n, maxFieldLines)
	switch {
	case flowName().MatchString(before):
		m.Path = manifest.Path{before[:strings.IndexByte(before, ':')], "name"}
	case blockName().MatchString(before) && topLevel().MatchString(parent(lines, n)):
		key, _, _ := strings.Cut(parent(lines, n), ":")
		m.Path = manifest.Path{key, "name"}
	case flowSubject().MatchString(before) && listOf(lines, n) == "subjects:":
		written := inFlow().FindAllStringSubmatch(lines[n], -1)
		m.addAccounts(written, strings.Count(lines[n], "namespace:"))
	case subjectName().MatchString(before):
		first, last := item(lines, n)
		if first >= 0 && listOf(lines, first) == "subjects:" {
			m.addAccounts(namespaces(lines[first:last]))
		}
	}
}

// addAccounts sets the namespace of a subject if its lines set exactly one.
func (m *Place) addAccounts(written [][]string, fields int) {
	m.Path = manifest.Path{"subjects", "name"}
	if len(written) == 1 && fields == 1 {
		m.Accounts = []objects.Account{{Namespace: written[0][1]}}
	}
}

// namespaces finds the namespaces that lines set, and counts the fields, including those with placeholders.
func namespaces(lines []string) (written [][]string, fields int) {
	for _, line := range lines {
		if found := inBlock().FindStringSubmatch(line); found != nil {
			written = append(written, found)
		}
		if anyInBlock().MatchString(line) {
			fields++
		}
	}
	return written, fields
}

// parent returns the next line above with less indentation; "" if that line is indented.
func parent(lines []string, n int) string {
	own := indentation(lines[n])
	for i := n - 1; i >= 0; i-- {
		if writesNothing(lines[i]) || indentation(lines[i]) >= own {
			continue
		}
		if indentation(lines[i]) > 0 {
			return ""
		}
		return lines[i]
	}
	return ""
}

// item returns the first line of the list item that contains a field, and the line after its last. First is negative if the
// field is in no item.
func item(lines []string, n int) (first, last int) {
	column := fieldColumn(lines[n])
	for last = n + 1; last < len(lines); last++ {
		if !writesNothing(lines[last]) && (indentation(lines[last]) < column) {
			break
		}
	}
	for first = n; first >= 0; first-- {
		switch {
		case writesNothing(lines[first]) && first != n:
		case isItem(lines[first]) && fieldColumn(lines[first]) == column:
			return first, last
		case indentation(lines[first]) < column:
			return -1, last
		}
	}
	return -1, last
}

// listOf returns the unindented key of the list that contains an item; "" if there is none.
func listOf(lines []string, n int) string {
	dash := indentation(lines[n])
	for i := n - 1; i >= 0; i-- {
		in := indentation(lines[i])
		if writesNothing(lines[i]) || in > dash || in == dash && isItem(lines[i]) {
			continue
		}
		if in > 0 {
			return ""
		}
		return strings.TrimRight(lines[i], " ")
	}
	return ""
}

// writesNothing reports whether a line produces no output: an empty line, a comment, or only an action of a template.
func writesNothing(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}")
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func isItem(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), "- ") }

// fieldColumn is the column of the key on a line, after the dash of an item.
func fieldColumn(line string) int {
	if !isItem(line) {
		return indentation(line)
	}
	return len(line) - len(strings.TrimLeft(strings.TrimLeft(line, " ")[1:], " "))
}
