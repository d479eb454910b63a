package rules

import (
	"math"
	"strconv"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
)

// valueCache keeps objects in the form of policies: converting one costs more than most evaluations.
type valueCache struct {
	values  sync.Map // *objects.Object → ast.Object
	objects sync.Map // ast.Object → *objects.Object
}

func (c *valueCache) of(o *objects.Object) ast.Value {
	if v, ok := c.values.Load(o); ok {
		return v.(ast.Value)
	}
	v, _ := c.values.LoadOrStore(o, valueOf(o.JSON()))
	c.objects.Store(v, o)
	return v.(ast.Value)
}

// objectOf returns the object from which a value was created, nil if a policy created it.
func (c *valueCache) objectOf(value ast.Value) *objects.Object {
	if _, ok := value.(ast.Object); !ok {
		return nil
	}
	o, _ := c.objects.Load(value)
	object, _ := o.(*objects.Object)
	return object
}

// valueOf converts a decoded manifest. OPA's own conversion accepts the infinite numbers that exist in YAML and not in
// JSON, and panics when it compares them; here they are strings.
func valueOf(decoded any) ast.Value {
	switch decoded := decoded.(type) {
	case map[string]any:
		object := ast.NewObjectWithCapacity(len(decoded))
		for key, value := range decoded {
			object.Insert(ast.InternedTerm(key), ast.NewTerm(valueOf(value)))
		}
		return object
	case []any:
		terms := make([]*ast.Term, len(decoded))
		for i, value := range decoded {
			terms[i] = ast.NewTerm(valueOf(value))
		}
		return ast.NewArray(terms...)
	case string:
		return ast.String(decoded)
	case bool:
		return ast.Boolean(decoded)
	case int64:
		return ast.Number(strconv.FormatInt(decoded, 10))
	case float64:
		text := strconv.FormatFloat(decoded, 'g', -1, 64)
		if math.IsInf(decoded, 0) || math.IsNaN(decoded) {
			return ast.String(text)
		}
		return ast.Number(text)
	default:
		return ast.NullValue
	}
}
