package modules

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rego"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

// Cache keeps the built-in policies in parsed and compiled form. Registries that share a cache compile each built-in
// policy once, however many runs a process makes. The cache contains no results of a run, and no policies of a user. It is
// safe for concurrent use.
type Cache struct {
	// policies are the files of the built-in policies; names in modules and queries begin with metadata.BuiltinDir.
	policies fs.FS
	modules  sync.Map // file → *ast.Module

	mu      sync.Mutex               // held while policies are compiled, so that none is compiled twice
	queries map[string]*policy.Query // by file
}

// NewCache returns an empty cache.
func NewCache() *Cache { return NewCacheOf(rego.Policies) }

// NewCacheOf returns an empty cache for the policies of a folder.
func NewCacheOf(policies fs.FS) *Cache {
	return &Cache{policies: policies, queries: map[string]*policy.Query{}}
}

// parse returns the module of a built-in file. Callers must not change it; the compiler works on a copy.
func (c *Cache) parse(file string) (*ast.Module, error) {
	if module, ok := c.modules.Load(file); ok {
		return module.(*ast.Module), nil
	}
	source, err := fs.ReadFile(c.policies, strings.TrimPrefix(file, metadata.BuiltinDir))
	if err != nil {
		return nil, err
	}
	parsed, err := policy.ParseWithoutAnnotations(file, source)
	if err != nil {
		return nil, policy.Explain(err, builtins.All())
	}
	module, _ := c.modules.LoadOrStore(file, parsed)
	return module.(*ast.Module), nil
}

// Queries returns the prepared queries of built-in rules, by file, and the number of modules that were compiled for them.
func (s *Set) Queries(ctx context.Context, rules []metadata.Rule) (map[string]*policy.Query, int, error) {
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	var missing []metadata.Rule
	for _, rule := range rules {
		if c.queries[rule.File] == nil {
			missing = append(missing, rule)
		}
	}
	modules, err := s.prepare(ctx, missing, c.queries)
	if err != nil {
		return nil, modules, err
	}
	queries := make(map[string]*policy.Query, len(rules))
	for _, rule := range rules {
		queries[rule.File] = c.queries[rule.File]
	}
	return queries, modules, nil
}

// prepare compiles the rules together, so that they share one compiler, and adds their queries to the map. It returns
// the number of modules that were compiled.
func (s *Set) prepare(ctx context.Context, rules []metadata.Rule, queries map[string]*policy.Query) (modules int, err error) {
	if len(rules) == 0 {
		return 0, nil
	}
	var files []string
	for _, rule := range rules {
		files = append(files, rule.File)
	}
	compiler, err := s.Compile(files, policy.CompileChecked)
	if err != nil {
		return 0, err
	}
	for _, rule := range rules {
		query, err := policy.Prepare(ctx, compiler, rule.Package()+".report", builtins.All(), nil)
		if err != nil {
			return 0, fmt.Errorf("rule %s: %w", rule.Name, policy.Explain(err, builtins.All()))
		}
		queries[rule.File] = query
	}
	return len(compiler.Modules), nil
}
