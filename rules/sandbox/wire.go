package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// wire is a value of a policy in a message: its kind, and then its content. Lengths and numbers are unsigned varints. It is compact,
// because most of the time of a short evaluation would be that of its messages; a message in JSON holds it as text in base64. The other
// side can be hostile.
//
// An object that the other side knows is sent by its number alone, because built-in functions recognize objects of the repository by
// their identity.
type wire []byte

// The kinds of values. A number or a string has its length and its text, an array or set the number of its items and then these, an
// object the number of its keys, then keys and values in turn, and then its own number, 0 for none.
const (
	wireNull byte = iota
	wireTrue
	wireFalse
	wireNumber
	wireString
	wireArray
	wireSet
	wireObject
	wireKnown
)

// maxDepth limits how deep values are nested.
const maxDepth = 10_000

// knownValues are the objects that both sides know, by their numbers.
type knownValues struct {
	numbers map[ast.Object]int
	objects map[int]ast.Object
}

func newKnownValues() *knownValues {
	return &knownValues{numbers: map[ast.Object]int{}, objects: map[int]ast.Object{}}
}

func (k *knownValues) add(o ast.Object, number int) {
	k.numbers[o], k.objects[number] = number, o
}

// encode converts a value for a message. Objects for which number returns true get a number with their first message.
func (k *knownValues) encode(value ast.Value, number func(ast.Object) bool) (wire, error) {
	e := encoder{known: k, number: number, out: make(wire, 0, 128)}
	e.value(value)
	return e.out, e.failed
}

// encoder appends values to a message.
type encoder struct {
	known  *knownValues
	number func(ast.Object) bool
	out    wire
	failed error
}

func (e *encoder) value(value ast.Value) {
	switch value := value.(type) {
	case ast.Null:
		e.out = append(e.out, wireNull)
	case ast.Boolean:
		kind := wireFalse
		if value {
			kind = wireTrue
		}
		e.out = append(e.out, kind)
	case ast.Number:
		e.text(wireNumber, string(value))
	case ast.String:
		e.text(wireString, string(value))
	case *ast.Array:
		e.length(wireArray, value.Len())
		value.Foreach(e.term)
	case ast.Set:
		e.length(wireSet, value.Len())
		value.Foreach(e.term)
	case ast.Object:
		e.object(value)
	default:
		e.failed = fmt.Errorf("a value of the type %s cannot be passed on", ast.ValueName(value))
	}
}

func (e *encoder) term(t *ast.Term) { e.value(t.Value) }

func (e *encoder) length(kind byte, n int) {
	e.out = binary.AppendUvarint(append(e.out, kind), uint64(n))
}

func (e *encoder) text(kind byte, text string) {
	e.length(kind, len(text))
	e.out = append(e.out, text...)
}

func (e *encoder) object(value ast.Object) {
	if n := e.known.numbers[value]; n > 0 {
		e.length(wireKnown, n)
		return
	}
	e.length(wireObject, value.Len())
	value.Foreach(func(key, item *ast.Term) {
		e.term(key)
		e.term(item)
	})
	own := 0
	if e.failed == nil && e.number != nil && e.number(value) {
		own = len(e.known.numbers) + 1
		e.known.add(value, own)
	}
	e.out = binary.AppendUvarint(e.out, uint64(own))
}

var errMessage = errors.New("a message cannot be read")

// decode converts a value of a message.
func (k *knownValues) decode(w wire) (ast.Value, error) {
	d := decoder{known: k, left: w}
	value := d.value(0)
	if d.failed == nil && len(d.left) > 0 {
		d.failed = errMessage
	}
	return value, d.failed
}

// decoder reads values from a message.
type decoder struct {
	known  *knownValues
	left   wire
	failed error
}

// fail stops reading.
func (d *decoder) fail(err error) ast.Value {
	if d.failed == nil {
		d.failed = err
	}
	d.left = nil
	return ast.NullValue
}

func (d *decoder) value(depth int) ast.Value {
	if len(d.left) == 0 || depth > maxDepth {
		return d.fail(errMessage)
	}
	kind := d.left[0]
	d.left = d.left[1:]
	switch kind {
	case wireNull:
		return ast.NullValue
	case wireTrue, wireFalse:
		return ast.Boolean(kind == wireTrue)
	case wireNumber:
		return ast.Number(d.text())
	case wireString:
		return ast.String(d.text())
	case wireKnown:
		n := d.uint()
		if o := d.known.objects[n]; o != nil {
			return o
		}
		return d.fail(fmt.Errorf("there is no object %d", n))
	case wireArray:
		return ast.NewArray(d.items(d.length(), depth)...)
	case wireSet:
		return ast.NewSet(d.items(d.length(), depth)...)
	case wireObject:
		return d.object(depth)
	}
	return d.fail(fmt.Errorf("a value cannot have the kind %d", kind))
}

// uint reads a number that is none of a value.
func (d *decoder) uint() int {
	n, size := binary.Uvarint(d.left)
	if size <= 0 || n > 1<<31 {
		d.fail(errMessage)
		return 0
	}
	d.left = d.left[size:]
	return int(n)
}

// length reads the length of a text or list. Each of its bytes or items takes at least one byte of the message.
func (d *decoder) length() int {
	n := d.uint()
	if n > len(d.left) {
		d.fail(errMessage)
		return 0
	}
	return n
}

func (d *decoder) text() string {
	n := d.length()
	text := string(d.left[:n])
	d.left = d.left[n:]
	return text
}

func (d *decoder) items(n, depth int) []*ast.Term {
	items := make([]*ast.Term, 0, min(n, 256)) // a message can promise more items than it has, at each depth
	for range n {
		value := d.value(depth + 1)
		if d.failed != nil {
			return nil
		}
		items = append(items, ast.NewTerm(value))
	}
	return items
}

func (d *decoder) object(depth int) ast.Value {
	n := d.length()
	items := d.items(2*n, depth)
	number := d.uint()
	if d.failed != nil {
		return ast.NullValue
	}
	o := ast.NewObjectWithCapacity(n)
	for ; len(items) > 0; items = items[2:] {
		o.Insert(items[0], items[1])
	}
	if number > 0 {
		d.known.add(o, number)
	}
	return o
}
