package modules

import "github.com/open-policy-agent/opa/v1/ast"

// DataReads returns the constant parts of the references into data of a parsed module, and of what its calls object.get(data, path, default)
// read. What `with` replaces is not read.
func DataReads(module *ast.Module) []ast.Ref {
	imports := importedAs(module)
	var all []ast.Ref
	add := func(ref ast.Ref) {
		if len(ref) > 1 && ref[0].Equal(ast.DefaultRootDocument) {
			all = append(all, ref.ConstantPrefix())
		}
	}
	visitor := ast.NewGenericVisitor(nil)
	visit := func(x any) bool {
		switch x := x.(type) {
		case *ast.With:
			visitor.Walk(x.Value)
			return true
		case ast.Ref:
			add(resolveWhole(x, imports))
		case *ast.Expr:
			if terms, is := x.Terms.([]*ast.Term); is {
				add(optional(terms))
			}
		case ast.Call:
			add(optional(x))
		}
		return false
	}
	visitor = ast.NewGenericVisitor(visit)
	for _, rule := range module.Rules {
		visitor.Walk(rule)
	}
	return all
}

// resolveWhole is resolve, without losing that a reference goes on with a variable.
func resolveWhole(ref ast.Ref, imports map[ast.Var]ast.Ref) ast.Ref {
	head, _ := ref[0].Value.(ast.Var)
	if imported, is := imports[head]; is {
		return imported.Concat(ref[1:])
	}
	return ref
}

// optional returns what a call of object.get reads of data; nil for another call.
func optional(call []*ast.Term) ast.Ref {
	if len(call) < 4 || call[0].Value.String() != ast.ObjectGet.Name || call[1].Value.String() != ast.DefaultRootDocument.String() {
		return nil
	}
	path, is := call[2].Value.(*ast.Array)
	if !is {
		path = ast.NewArray(call[2])
	}
	read := ast.Ref{ast.DefaultRootDocument}
	for i := range path.Len() {
		read = read.Append(path.Elem(i))
	}
	return read
}
