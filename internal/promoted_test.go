package internal_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostPromoted is how many methods and fields a struct can have from the types that it embeds. With more of them, a reader cannot tell
// what a value knows and does; a named field says where a thing is from.
const mostPromoted = 40

// embedding are the structs that have more. The list only gets shorter.
var embedding = []string{
	"cmd/salint.diffRun", "cmd/salint.differ", "cmd/salint.linter", "cmd/salint.namedBundles", "cmd/salint.preflighter",
	"fixers/identity.unitAccount", "internal/ask/plan.planner", "internal/assemble/applications.plan", "internal/assemble/gitops.generator",
	"internal/assemble/gitops.helmReader", "internal/kube/bundle.definition", "internal/kube/rbac.versionedRole",
	"internal/proof/verify.ChangedUnit",
}

// TestPromotedMembers counts the promoted methods and fields of each struct of the module.
func TestPromotedMembers(t *testing.T) {
	t.Parallel()
	structs := 0
	for _, p := range checkPackages(t, "../internal/...", "../rules/...", "../fixers/...", "../rego/...", "../cmd/...") {
		for _, name := range p.Scope().Names() {
			named, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || named.IsAlias() {
				continue
			}
			if _, ok := named.Type().Underlying().(*types.Struct); !ok {
				continue
			}
			structs++
			id := strings.TrimPrefix(p.Path()+"."+name, module)
			switch n, listed := countPromoted(named.Type()), slices.Contains(embedding, id); {
			case n > mostPromoted && !listed:
				t.Errorf("%s has %d promoted methods and fields, more than %d: name the fields that it embeds", id, n, mostPromoted)
			case n <= mostPromoted && listed:
				t.Errorf("%s has %d promoted methods and fields: take it off the list", id, n)
			}
		}
	}
	if structs < 500 {
		t.Errorf("only %d structs were checked", structs)
	}
}

// countPromoted counts the names of the methods and fields that a struct has from the types that it embeds, also from those of other
// modules.
func countPromoted(of types.Type) int {
	names := map[string]bool{}
	home := of.(*types.Named).Obj().Pkg()
	add := func(o types.Object) {
		if o.Exported() || o.Pkg() == home { // others cannot be used
			names[o.Name()] = true
		}
	}
	methods := types.NewMethodSet(types.NewPointer(of))
	for i := range methods.Len() {
		if m := methods.At(i); len(m.Index()) > 1 {
			add(m.Obj())
		}
	}
	addFields(of, add, map[types.Type]bool{}, 0)
	return len(names)
}

// addFields adds the fields of a struct, and of those that it embeds, from a depth of one on.
func addFields(of types.Type, add func(types.Object), seen map[types.Type]bool, depth int) {
	if p, ok := of.Underlying().(*types.Pointer); ok {
		of = p.Elem()
	}
	s, ok := of.Underlying().(*types.Struct)
	if !ok || seen[of] {
		return
	}
	seen[of] = true
	for field := range s.Fields() {
		if depth > 0 {
			add(field)
		}
		if field.Embedded() {
			addFields(field.Type(), add, seen, depth+1)
		}
	}
}

// goPackage is what `go list` says of a package.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// checkPackages returns the types of packages of the module. Those of the packages that they import are read from the build cache.
func checkPackages(t *testing.T, patterns ...string) []*types.Package {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly"}, patterns...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	var checked []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			checked = append(checked, p)
		}
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s is not in the build cache", path)
		}
		return os.Open(exports[path])
	})
	var all []*types.Package
	for _, p := range checked {
		all = append(all, typesOf(t, set, imports, p))
	}
	return all
}

func typesOf(t *testing.T, set *token.FileSet, imports types.Importer, p goPackage) *types.Package {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{Importer: imports, IgnoreFuncBodies: true}
	checked, err := config.Check(p.ImportPath, set, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return checked
}
