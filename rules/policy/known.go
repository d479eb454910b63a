package policy

import (
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// Known holds the values of the documents and functions that queries have computed for one input, such as the extension that most
// rules about extensions begin with. OPA looks them up by their names and arguments, so they are the same in each query over the
// same modules: they depend on nothing but the input and the results of the built-in functions, which are the same for all
// queries about an object. The zero value is empty. It is not safe for concurrent use.
type Known struct {
	compiler *ast.Compiler
	values   topdown.VirtualCache
}

// of returns the values for queries over the modules of a compiler. Other modules can have other rules of the same names, so the
// values of another compiler are forgotten.
func (k *Known) of(compiler *ast.Compiler) topdown.VirtualCache {
	if k == nil {
		return topdown.NewVirtualCache()
	}
	if k.values == nil || k.compiler != compiler {
		k.compiler, k.values = compiler, topdown.NewVirtualCache()
	}
	return k.values
}

// forget removes the values. An evaluation that was stopped inside of a `with` leaves values behind that only hold there.
func (k *Known) forget() {
	if k != nil {
		k.values = nil
	}
}
