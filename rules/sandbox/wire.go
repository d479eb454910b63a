package sandbox

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// wire is a value of a policy in a message. An object that the other side knows is sent by its number alone, because built-in
// functions recognize objects of the repository by their identity.
type wire struct {
	// Kind is one of the kinds below; Text is a number or a string; List holds items, or keys and values in turn.
	Kind string `json:"k"`
	Text string `json:"t,omitempty"`
	List []wire `json:"l,omitempty"`
	// Number is that of a known object, from 1; with the kind wireKnown, nothing else is sent.
	Number int `json:"n,omitempty"`
}

const (
	wireNull   = "null"
	wireTrue   = "true"
	wireFalse  = "false"
	wireNumber = "n"
	wireString = "s"
	wireArray  = "a"
	wireSet    = "set"
	wireObject = "o"
	wireKnown  = "k"
)

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
	switch value := value.(type) {
	case ast.Null:
		return wire{Kind: wireNull}, nil
	case ast.Boolean:
		if value {
			return wire{Kind: wireTrue}, nil
		}
		return wire{Kind: wireFalse}, nil
	case ast.Number:
		return wire{Kind: wireNumber, Text: string(value)}, nil
	case ast.String:
		return wire{Kind: wireString, Text: string(value)}, nil
	case *ast.Array:
		return k.encodeList(wireArray, value.Foreach, number)
	case ast.Set:
		return k.encodeList(wireSet, value.Foreach, number)
	case ast.Object:
		return k.encodeObject(value, number)
	}
	return wire{}, fmt.Errorf("a value of the type %s cannot be passed on", ast.ValueName(value))
}

func (k *knownValues) encodeObject(value ast.Object, number func(ast.Object) bool) (wire, error) {
	if n := k.numbers[value]; n > 0 {
		return wire{Kind: wireKnown, Number: n}, nil
	}
	out, err := k.encodeList(wireObject, func(each func(*ast.Term)) {
		value.Foreach(func(key, item *ast.Term) {
			each(key)
			each(item)
		})
	}, number)
	if err == nil && number != nil && number(value) {
		out.Number = len(k.numbers) + 1
		k.add(value, out.Number)
	}
	return out, err
}

func (k *knownValues) encodeList(kind string, items func(func(*ast.Term)), number func(ast.Object) bool) (wire, error) {
	out := wire{Kind: kind}
	var failed error
	items(func(t *ast.Term) {
		item, err := k.encode(t.Value, number)
		if err != nil {
			failed = err
		}
		out.List = append(out.List, item)
	})
	return out, failed
}

// decode converts a value of a message.
func (k *knownValues) decode(w wire) (ast.Value, error) {
	switch w.Kind {
	case wireNull:
		return ast.NullValue, nil
	case wireTrue, wireFalse:
		return ast.Boolean(w.Kind == wireTrue), nil
	case wireNumber:
		return ast.Number(w.Text), nil
	case wireString:
		return ast.String(w.Text), nil
	case wireKnown:
		if o := k.objects[w.Number]; o != nil {
			return o, nil
		}
		return nil, fmt.Errorf("there is no object %d", w.Number)
	}
	items := make([]*ast.Term, len(w.List))
	for i, item := range w.List {
		value, err := k.decode(item)
		if err != nil {
			return nil, err
		}
		items[i] = ast.NewTerm(value)
	}
	switch {
	case w.Kind == wireArray:
		return ast.NewArray(items...), nil
	case w.Kind == wireSet:
		return ast.NewSet(items...), nil
	case w.Kind == wireObject && len(items)%2 == 0:
		return k.object(w.Number, items), nil
	}
	return nil, fmt.Errorf("a value cannot have the kind %q", w.Kind)
}

func (k *knownValues) object(number int, items []*ast.Term) ast.Object {
	o := ast.NewObjectWithCapacity(len(items) / 2)
	for ; len(items) > 0; items = items[2:] {
		o.Insert(items[0], items[1])
	}
	if number > 0 {
		k.add(o, number)
	}
	return o
}
