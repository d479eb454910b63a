package policy

import "github.com/open-policy-agent/opa/v1/ast"

// Parse reads one Rego file with its annotations. The name appears in error messages.
func Parse(name string, source []byte) (*ast.Module, error) {
	return ast.ParseModuleWithOpts(name, string(source), ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
}

// ParseWithoutAnnotations is Parse for policies whose METADATA is already known; it is faster.
func ParseWithoutAnnotations(name string, source []byte) (*ast.Module, error) {
	return ast.ParseModuleWithOpts(name, string(source), ast.ParserOptions{RegoVersion: ast.RegoV1})
}

// Compile checks the modules (strictly: unused variables and imports are errors) and prepares them for queries. The keys of
// modules are file names.
func Compile(modules map[string]*ast.Module, builtins []*Builtin) (*ast.Compiler, error) {
	return compile(newCompiler(builtins), modules)
}

// CompileChecked is Compile for modules that have been compiled before, by a test or at the start of the program: checks
// that only find mistakes are left out, which saves a third of the time.
func CompileChecked(modules map[string]*ast.Module, builtins []*Builtin) (*ast.Compiler, error) {
	compiler := newCompiler(builtins).
		WithStrict(false).
		WithEnablePrintStatements(false).
		WithSkipStages(ast.StageCheckTypes)
	return compile(compiler, modules)
}

func compile(compiler *ast.Compiler, modules map[string]*ast.Module) (*ast.Compiler, error) {
	compiler.Compile(modules)
	if compiler.Failed() {
		return nil, compiler.Errors
	}
	return compiler, nil
}

func newCompiler(builtins []*Builtin) *ast.Compiler {
	return ast.NewCompiler().
		WithCapabilities(Capabilities(builtins)).
		WithDefaultRegoVersion(ast.RegoV1).
		WithStrict(true).
		WithEnablePrintStatements(true)
}
