package modules

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

const (
	// testTimeout limits one Rego test.
	testTimeout = 5 * time.Second
	// aloneTimeout limits a test that runs alone, to find the one that filled the memory: it may come later than before.
	aloneTimeout = 30 * time.Second
)

// Set are the modules that can be compiled: the built-in ones, parsed on first use, and in the process that evaluates them the
// user's.
type Set struct {
	// cache holds the built-in modules and their compiled queries.
	cache *Cache

	mu     sync.Mutex
	parsed map[string]*ast.Module // by file
	byPkg  map[string][]string    // package → files
}

// New returns the built-in modules that a cache holds.
func New(cache *Cache) *Set {
	return &Set{cache: cache, parsed: map[string]*ast.Module{}, byPkg: map[string][]string{}}
}

// Add adds a parsed module under its file name.
//
// It is not safe while others compile: it is called when the registry is loaded.
func (s *Set) Add(file string, module *ast.Module) {
	s.parsed[file] = module
	pkg := module.Package.Path.String()
	s.byPkg[pkg] = append(s.byPkg[pkg], file)
}

// Closure returns the modules of the files with all modules of salint that they refer to, directly or not.
func (s *Set) Closure(files []string) (map[string]*ast.Module, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.parse(slices.Concat(files, s.libFiles())); err != nil {
		return nil, err
	}
	needed := map[string]*ast.Module{}
	for queue := slices.Clone(files); len(queue) > 0; queue = queue[1:] {
		file := queue[0]
		if needed[file] != nil {
			continue
		}
		if err := s.parse([]string{file}); err != nil {
			return nil, err
		}
		needed[file] = s.parsed[file]
		queue = append(queue, s.referred(needed[file])...)
	}
	return needed, nil
}

// libFiles are the built-in helpers that several rules share. They are parsed together with the first rules, because only
// parsing reveals their packages.
func (s *Set) libFiles() []string {
	entries, err := fs.ReadDir(s.cache.policies, "lib")
	if err != nil {
		return nil
	}
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".rego") && !strings.HasSuffix(e.Name(), "_test.rego") {
			files = append(files, metadata.BuiltinDir+"lib/"+e.Name())
		}
	}
	return files
}

// Taken reports whether a package of helpers is one of the built-in ones.
func Taken(pkg string) bool {
	return pkg == metadata.LibPackage || within(pkg, metadata.HelpersPackage)
}

// parse parses those of the built-in files that are not parsed yet, all at once, which saves much of the time to the first
// finding.
func (s *Set) parse(files []string) error {
	files = slices.DeleteFunc(files, func(f string) bool { return s.parsed[f] != nil })
	modules, errs := make([]*ast.Module, len(files)), make([]error, len(files))
	var group sync.WaitGroup
	for i, file := range files {
		group.Go(func() { modules[i], errs[i] = s.cache.parse(file) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, file := range files {
		s.Add(file, modules[i])
	}
	return nil
}

// referred returns the files whose packages a module references: those of helpers and of other rules.
func (s *Set) referred(module *ast.Module) []string {
	mentioned := map[string]bool{}
	imports := importedAs(module)
	for _, rule := range module.Rules {
		ast.WalkRefs(rule, func(ref ast.Ref) bool {
			for _, file := range s.filesOf(resolve(ref, imports)) {
				mentioned[file] = true
			}
			return false
		})
	}
	return slices.Sorted(maps.Keys(mentioned))
}

// importedAs returns the names under which a module imports packages.
func importedAs(module *ast.Module) map[ast.Var]ast.Ref {
	imports := map[ast.Var]ast.Ref{}
	for _, i := range module.Imports {
		if ref, ok := i.Path.Value.(ast.Ref); ok {
			imports[i.Name()] = ref
		}
	}
	return imports
}

// resolve expands a reference that begins with an imported name, in its constant part.
func resolve(ref ast.Ref, imports map[ast.Var]ast.Ref) ast.Ref {
	prefix := ref.ConstantPrefix()
	if len(prefix) == 0 {
		return nil
	}
	head, _ := prefix[0].Value.(ast.Var)
	if imported, ok := imports[head]; ok {
		return imported.Concat(prefix[1:])
	}
	return prefix
}

// filesOf returns the files of the packages that a reference leads into, and of the packages below.
func (s *Set) filesOf(ref ast.Ref) []string {
	if len(ref) < 2 || !ref[0].Equal(ast.DefaultRootDocument) {
		return nil
	}
	name := ref.String()
	var files []string
	for pkg, of := range s.byPkg {
		if within(name, pkg) || within(pkg, name) {
			files = append(files, of...)
		}
	}
	return append(files, s.fileBeside(ref)...)
}

// fileBeside returns the file of a built-in rule that a reference names, or of a helper beside the rules of a family:
// package salint.rules.olm.apply_order is olm/apply_order.rego, and salint.helpers.grafana.schema_values is
// grafana/schema_values.rego.
func (s *Set) fileBeside(ref ast.Ref) []string {
	name := ref.String()
	if len(ref) < 5 || !strings.HasPrefix(name, metadata.PackagePrefix) && !strings.HasPrefix(name, metadata.HelpersPackage+".") {
		return nil
	}
	family, ok1 := ref[3].Value.(ast.String)
	rule, ok2 := ref[4].Value.(ast.String)
	if !ok1 || !ok2 {
		return nil
	}
	file := string(family) + "/" + string(rule) + ".rego"
	if _, err := fs.Stat(s.cache.policies, file); err != nil {
		return nil
	}
	return []string{metadata.BuiltinDir + file}
}

// within reports whether a dotted name is another, or is below it.
func within(name, ancestor string) bool {
	return name == ancestor || strings.HasPrefix(name, ancestor+".") || strings.HasPrefix(name, ancestor+"[")
}

// CompileFunc is policy.Compile or policy.CompileChecked.
type CompileFunc = func(map[string]*ast.Module, []*policy.Builtin) (*ast.Compiler, error)

// Compile compiles the modules of the files and everything they refer to.
func (s *Set) Compile(files []string, compile CompileFunc) (*ast.Compiler, error) {
	modules, err := s.Closure(files)
	if err != nil {
		return nil, err
	}
	compiler, err := compile(modules, builtins.All())
	return compiler, policy.Explain(err, builtins.All())
}

// Test runs the tests of the modules: all, those of a regular expression, or only the one of a name.
func Test(ctx context.Context, modules map[string]*ast.Module, o policy.TestOptions, alone string) ([]policy.TestResult, error) {
	o.Timeout = testTimeout
	if alone != "" {
		o.Timeout, o.Only = aloneTimeout, "^"+regexp.QuoteMeta(alone)+"$"
	}
	results, err := policy.Test(ctx, modules, builtins.All(), o)
	return results, policy.Explain(err, builtins.All())
}
