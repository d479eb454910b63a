package policy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

const (
	// maxText is the length of the longest text that a function of OPA may return.
	maxText = 16 << 20
	// maxMatching limits the length of a pattern multiplied by that of the text.
	maxMatching = 1 << 28
	// maxShift is how far bits.lsh may shift.
	maxShift = 4096
)

// costs estimate what a call of a function of OPA costs, from its arguments. OPA checks for the end of the time between calls, not
// inside of these, so a call that costs too much is refused.
var costs = map[string]func(args []*ast.Term) error{
	"bits.lsh": func(args []*ast.Term) error {
		if n, ok := args[1].Value.(ast.Number); ok {
			if shift, whole := n.Int64(); !whole || shift > maxShift {
				return fmt.Errorf("it shifts by more than %d bits", maxShift)
			}
		}
		return nil
	},
	"concat": func(args []*ast.Term) error {
		texts, separators := lengths(args[1]), count(args[1])
		return limitText(texts + separators*textLength(args[0]))
	},
	"replace": func(args []*ast.Term) error {
		return limitText(replaced(args[0], textLength(args[2])))
	},
	"strings.replace_n": func(args []*ast.Term) error {
		return limitText(replaced(args[1], lengths(args[0])))
	},
	"regex.replace": func(args []*ast.Term) error {
		by := textLength(args[2]) + dollars(args[2])*textLength(args[0])
		if err := limitText(replaced(args[0], by)); err != nil {
			return err
		}
		return limitMatching(args[1], args[0])
	},
	"sprintf": func(args []*ast.Term) error {
		format, ok := args[0].Value.(ast.String)
		if !ok {
			return nil
		}
		verbs := float64(strings.Count(string(format), "%"))
		return limitText(textLength(args[0]) + verbs*(lengths(args[1])+widest(string(format))))
	},
	"regex.match":                      func(args []*ast.Term) error { return limitMatching(args[0], args[1]) },
	"regex.split":                      func(args []*ast.Term) error { return limitMatching(args[0], args[1]) },
	"regex.find_n":                     func(args []*ast.Term) error { return limitMatching(args[0], args[1]) },
	"regex.find_all_string_submatch_n": func(args []*ast.Term) error { return limitMatching(args[0], args[1]) },
	"regex.template_match":             func(args []*ast.Term) error { return limitMatching(args[0], args[1]) },
	"glob.match":                       func(args []*ast.Term) error { return limitMatching(args[0], args[2]) },
	"units.parse":                      limitExponent,
	"units.parse_bytes":                limitExponent,
}

func init() {
	for name, cost := range costs {
		call := topdown.GetBuiltin(name)
		topdown.RegisterBuiltinFunc(name, func(bctx topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
			if err := cost(args); err != nil {
				// Halting prevents a refused call from looking like the answer "no".
				return topdown.Halt{Err: fmt.Errorf("%s was not called, because the call costs too much: %w", name, err)}
			}
			return call(bctx, args, iter)
		})
	}
}

func limitText(length float64) error {
	if length > maxText {
		return fmt.Errorf("its result could have more than %d MiB", maxText>>20)
	}
	return nil
}

func limitMatching(pattern, text *ast.Term) error {
	if textLength(pattern)*textLength(text) > maxMatching {
		return fmt.Errorf("the pattern and the text are too long")
	}
	return nil
}

// limitExponent refuses numbers such as 1e1000000, which have a million digits.
func limitExponent(args []*ast.Term) error {
	text, ok := args[0].Value.(ast.String)
	if !ok {
		return nil
	}
	_, exponent, found := strings.Cut(strings.ToLower(string(text)), "e")
	digits := strings.TrimRight(strings.TrimLeft(exponent, "+-"), "abcdefghijklmnopqrstuvwxyz\"")
	if n, err := strconv.Atoi(digits); found && (err == nil && n > 100 || len(digits) > 3) || len(text) > 1000 {
		return fmt.Errorf("the number is too long")
	}
	return nil
}

// replaced is the greatest length of a text in which everything is replaced by texts of a length.
func replaced(text *ast.Term, by float64) float64 {
	length := textLength(text)
	return length + (length+1)*by
}

// textLength is the length of a text in bytes; 0 for other values.
func textLength(t *ast.Term) float64 {
	if s, ok := t.Value.(ast.String); ok {
		return float64(len(s))
	}
	return 0
}

// lengths is the length of all texts in an array, a set, or an object.
func lengths(t *ast.Term) float64 {
	total := 0.0
	add := func(item *ast.Term) { total += textLength(item) }
	switch v := t.Value.(type) {
	case *ast.Array:
		v.Foreach(add)
	case ast.Set:
		v.Foreach(add)
	case ast.Object:
		v.Foreach(func(_, value *ast.Term) { add(value) })
	}
	return total
}

func count(t *ast.Term) float64 {
	switch v := t.Value.(type) {
	case *ast.Array:
		return float64(v.Len())
	case ast.Set:
		return float64(v.Len())
	}
	return 0
}

func dollars(t *ast.Term) float64 {
	s, _ := t.Value.(ast.String)
	return float64(strings.Count(string(s), "$"))
}

// widest is the largest number in a format, as in %1000d.
func widest(format string) float64 {
	largest, n := 0.0, 0.0
	for i := range len(format) {
		if c := format[i]; '0' <= c && c <= '9' {
			n = n*10 + float64(c-'0')
			largest = max(largest, n)
			continue
		}
		n = 0
	}
	return largest
}
