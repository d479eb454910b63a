package manifest

import (
	"fmt"
	"strconv"
	"strings"
)

// Path leads from the top of a document, or from an object inside it, to a node. A step is the key of a mapping, or the
// index of a sequence in decimal.
type Path []string

// Join returns the path with further steps; p does not change.
func (p Path) Join(steps ...string) Path {
	joined := make(Path, 0, len(p)+len(steps))
	return append(append(joined, p...), steps...)
}

// In returns the value at the path in a decoded document, nil if there is none.
func (p Path) In(value any) any {
	for _, step := range p {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inside) {
				return nil
			}
			value = inside[i]
		default:
			return nil
		}
	}
	return value
}

// String writes the path in the usual form: spec.serviceAccount, objects[0].metadata.annotations["a/b"]. A step of digits
// is an index, because Kubernetes objects have keys of digits only in string maps.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch {
		case isIndex(step):
			b.WriteString("[" + step + "]")
		case isPlainStep(step):
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(step)
		default:
			b.WriteString("[" + strconv.Quote(step) + "]")
		}
	}
	return b.String()
}

// ParsePath reads what String writes.
func ParsePath(s string) (Path, error) {
	var path Path
	for rest := s; rest != ""; {
		switch rest[0] {
		case '.':
			rest = rest[1:]
		case '[':
			step, after, err := bracketStep(rest)
			if err != nil {
				return nil, fmt.Errorf("path %q: %w", s, err)
			}
			path, rest = append(path, step), after
		default:
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			path, rest = append(path, rest[:end]), rest[end:]
		}
	}
	return path, nil
}

func bracketStep(s string) (step, rest string, err error) {
	if strings.HasPrefix(s, `["`) {
		quoted, err := strconv.QuotedPrefix(s[1:])
		if err != nil {
			return "", "", err
		}
		step, err = strconv.Unquote(quoted)
		rest, closed := strings.CutPrefix(s[1+len(quoted):], "]")
		if err != nil || !closed {
			return "", "", fmt.Errorf("a quoted step is not closed by \"]")
		}
		return step, rest, nil
	}
	step, rest, closed := strings.Cut(s[1:], "]")
	if !closed || !isIndex(step) {
		return "", "", fmt.Errorf("%q is not an index in brackets", s)
	}
	return step, rest, nil
}

func isIndex(step string) bool {
	if step == "" {
		return false
	}
	for _, c := range []byte(step) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func isPlainStep(step string) bool {
	if step == "" {
		return false
	}
	for _, c := range step {
		if c <= ' ' || strings.ContainsRune(`.[]"/\`, c) {
			return false
		}
	}
	return true
}
