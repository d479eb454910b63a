package evalcontext

import (
	"encoding/json"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/values"
)

// NodeOf returns a resource as a node: that of its manifest if it is an object of the repository, otherwise one created
// from the value.
func (s *Evaluation) NodeOf(resource *ast.Term) (*manifest.Node, error) {
	if o := s.ObjectWith(resource.Value); o != nil {
		return o.Node, nil
	}
	value, err := ast.JSON(resource.Value)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	file := manifest.Scan("resource", text)
	if len(file.Docs) != 1 {
		return nil, nil
	}
	if err := file.Docs[0].Parse(); err != nil {
		return nil, err
	}
	return file.Docs[0].Root, nil
}

// ObjectWith returns the object from which a value was created, or nil if the policy created the value. A nil evaluation has no
// objects.
func (s *Evaluation) ObjectWith(value ast.Value) *objects.Object {
	if s == nil {
		return nil
	}
	return s.Values.ObjectOf(value)
}

// ObjectIn returns the object of the repository for a resource, or one created from the value; nil for a value that is not
// an object.
func (s *Evaluation) ObjectIn(resource *ast.Term) (*objects.Object, error) {
	if o := s.ObjectWith(resource.Value); o != nil {
		return o, nil
	}
	node, err := s.NodeOf(resource)
	if node == nil || err != nil {
		return nil, err
	}
	return objects.Detached(node), nil
}

// Lookup returns the object of a ref, in the unit or in another unit of the repository.
func (s *Evaluation) Lookup(ref any) (*objects.Object, error) {
	name, _ := ref.(string)
	if o := s.Unit.Object(name); o != nil {
		return o, nil
	}
	if err := s.Need(func(unit *objects.Unit) bool { return HasFileOf(unit, name) }); err != nil {
		return nil, err
	}
	for _, unit := range s.Units {
		if unit.Pending() {
			continue
		}
		if o := unit.Applied().Object(name); o != nil {
			return o, nil
		}
	}
	return nil, fmt.Errorf("there is no object with the ref %q: use refs of salint.find, salint.lookup, or similar functions", name)
}

// Found is the answer of functions that find objects.
func (s *Evaluation) Found(objs []*objects.Object) ast.Value {
	return values.Array(objs, func(o *objects.Object) ast.Value {
		return ast.NewObject(values.Field("ref", ast.String(o.Ref())), values.Field("resource", s.Values.Of(o)))
	})
}
