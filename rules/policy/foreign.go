package policy

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// CompileForeign compiles the Rego of another program, in the first version of the language unless v1 is set: a policy, and the libraries in
// data.lib that it imports. It returns the path of the policy's package. What depends on other data is an error, because there is none here.
func CompileForeign(source string, libraries []string, v1 bool) (compiler *ast.Compiler, pkg string, err error) {
	version := ast.RegoV0
	if v1 {
		version = ast.RegoV1
	}
	modules := map[string]*ast.Module{}
	for i, text := range append([]string{source}, libraries...) {
		name := fmt.Sprintf("module%d.rego", i)
		module, err := ast.ParseModuleWithOpts(name, text, ast.ParserOptions{RegoVersion: version})
		if err != nil {
			return nil, "", err
		}
		if ref := otherData(module); ref != "" {
			return nil, "", fmt.Errorf("it depends on %s", ref)
		}
		modules[name] = module
		if i == 0 {
			pkg = module.Package.Path.String()
		}
	}
	compiler, err = compile(newCompiler(nil).WithDefaultRegoVersion(version).WithStrict(false).WithEnablePrintStatements(false), modules)
	return compiler, pkg, err
}

// otherData returns a reference to data that is not below data.lib; "" if there is none.
func otherData(module *ast.Module) (found string) {
	look := func(ref ast.Ref) bool {
		if ref[0].Equal(ast.DefaultRootDocument) && (len(ref) < 2 || !ref[1].Equal(ast.StringTerm("lib"))) {
			found = ref.String()
		}
		return found != ""
	}
	for _, i := range module.Imports {
		ast.WalkRefs(i, look)
	}
	for _, rule := range module.Rules {
		ast.WalkRefs(rule, look)
	}
	return found
}
