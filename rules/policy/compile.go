package policy

import (
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/inputschema"
)

// inputSchema is the schema of the input of all modules that are no tests, in which policies can have other inputs.
var inputSchema = sync.OnceValue(func() *ast.SchemaSet {
	set := ast.NewSchemaSet()
	set.Put(ast.SchemaRootRef, inputschema.Without())
	return set
})

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

// CompileForInput is Compile for policies without tests, in which fields of the input that do not exist are errors, too. The schemas in
// annotations count; a schema can refer to files, so none may come from a user unchecked.
func CompileForInput(modules map[string]*ast.Module, builtins []*Builtin) (*ast.Compiler, error) {
	return compile(newCompiler(builtins).WithSchemas(inputSchema()).WithUseTypeCheckAnnotations(true), modules)
}

// CompileChecked is Compile for modules that have been compiled before, by a test or at the start of the program: checks
// that only find mistakes are left out, which saves a third of the time.
func CompileChecked(modules map[string]*ast.Module, builtins []*Builtin) (*ast.Compiler, error) {
	return compile(checkedCompiler(builtins).WithEnablePrintStatements(false), modules)
}

// CompilePrinting is CompileChecked for policies whose calls of print have an effect.
func CompilePrinting(modules map[string]*ast.Module, builtins []*Builtin) (*ast.Compiler, error) {
	return compile(checkedCompiler(builtins), modules)
}

func checkedCompiler(builtins []*Builtin) *ast.Compiler {
	return newCompiler(builtins).WithStrict(false).WithSkipStages(ast.StageCheckTypes)
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
