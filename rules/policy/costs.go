package policy

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

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
		return limitText(textLength(args[0]) + verbs*lengths(args[1]) + widths(string(format), args[1]))
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

// LimitCosts refuses calls that cost too much in this process. OPA has one table of functions for a process, so only the process that
// evaluates the policies of users calls this, before its first evaluation: salint's own policies have constant patterns.
var LimitCosts = sync.OnceFunc(func() {
	for name, cost := range costs {
		call := topdown.GetBuiltin(name)
		topdown.RegisterBuiltinFunc(name, func(bctx topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
			if err := cost(args); err != nil {
				// Halting prevents a refused call from looking like the answer "no".
				return topdown.Halt{Err: fmt.Errorf("%s was not called: it costs too much: %w", name, err)}
			}
			return call(bctx, args, iter)
		})
	}
})

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

// maxWidth is the largest width and precision that package fmt obeys.
const maxWidth = 1e6

// widths is the length of all that the widths and precisions in a format can add, as in %1000d or %*d. Numbers in its text are none.
func widths(format string, args *ast.Term) float64 {
	total := 0.0
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return total
		}
		verb := len(rest) - len(strings.TrimLeft(rest, "+-# 0123456789.*[]"))
		total += widest(rest[:verb], args)
		format = rest[min(len(rest), verb+1):]
	}
}

// widest is the sum of the numbers in the flags of a verb: its width and its precision. A star stands for an argument.
func widest(flags string, args *ast.Term) float64 {
	total, n, index := 0.0, 0.0, false
	for i := range len(flags) {
		switch c := flags[i]; {
		case c == '[':
			index = true
		case c == ']':
			index, n = false, 0
		case c == '*':
			total += largest(args)
		case '0' <= c && c <= '9' && !index:
			n = n*10 + float64(c-'0')
			continue
		}
		total, n = total+min(n, maxWidth), 0
	}
	return total + min(n, maxWidth)
}

// largest is the largest width that one of the arguments can be.
func largest(args *ast.Term) float64 {
	most := 0.0
	if list, is := args.Value.(*ast.Array); is {
		list.Foreach(func(t *ast.Term) {
			if n, is := t.Value.(ast.Number); is {
				f, _ := n.Float64()
				most = max(most, min(math.Abs(f), maxWidth))
			}
		})
	}
	return most
}
