package metadata

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/rules/policy"
)

// BuiltinDir is the folder of the built-in policies in salint's own repository: their file names begin with it.
const BuiltinDir = "rego/"

// MaxFileSize prevents a folder with other content than policies from being read into memory.
const MaxFileSize = 1 << 20

const (
	// LibPackage is the package of the public helpers. Those that the policies of a user share are below it.
	LibPackage = "data.salint.lib"
	// HelpersPackage is the package of the helpers that only the built-in policies use. Further ones are below it.
	HelpersPackage = "data.salint.helpers"
)

// ToolsDir is the folder below policies with what OPA's tools need, such as stubs of the helpers. Neither it nor that of regal has policies.
const ToolsDir = ".salint"

// isToolsDir reports whether a folder holds files of other tools.
func isToolsDir(name string) bool {
	base := path.Base(name)
	return base == ToolsDir || base == ".regal"
}

// maxPolicies limits the size of all policies of a folder.
const maxPolicies = 16 << 20

// File is one Rego file.
type File struct {
	// Name is the file name in errors.
	Name   string
	Source []byte
	Outline
	// Module is nil for policies of users, which only a child process parses.
	Module *ast.Module
	// Bundled is set for a file of a bundle.
	Bundled bool
	// examplesFile is the file with the examples beside a rule, "" if there is none.
	examplesFile   string
	examplesSource []byte
}

// parseFunc parses a file, and sets its outline. The error lists the mistakes in it; stop ends the reading of the folder.
type parseFunc func(p *File) (mistakes, stop error)

// ParseHere parses one of salint's own policies.
func ParseHere(p *File) (mistakes, stop error) {
	module, err := policy.Parse(p.Name, p.Source)
	if err != nil {
		return policy.Explain(err, nil), nil
	}
	p.Module, p.Outline = module, OutlineOf(module)
	return nil, nil
}

// ParseFiles parses all Rego files below a root, including tests, in the order of their names. The prefix is added to
// the names in errors.
func ParseFiles(root fs.FS, prefix string, parse parseFunc) ([]*File, error) {
	names, sources, err := readPolicies(root, prefix)
	if err != nil {
		return nil, err
	}
	var files []*File
	var problems []error
	for i, name := range names {
		file := &File{Name: path.Join(prefix, name), Source: sources[i]}
		mistakes, stop := parse(file)
		switch {
		case stop != nil:
			return nil, errors.Join(append(problems, stop)...)
		case mistakes != nil:
			problems = append(problems, mistakes)
			continue
		}
		if err := file.checkPlace(); err != nil {
			problems = append(problems, err)
			continue
		}
		if err := file.addExamples(root, name, prefix); err != nil {
			return nil, errors.Join(append(problems, err)...)
		}
		files = append(files, file)
	}
	if len(problems) == 0 {
		problems = append(problems, checkExampleFiles(root, prefix, files))
	}
	return files, errors.Join(problems...)
}

// readPolicies returns the names and contents of the Rego files below a root.
func readPolicies(root fs.FS, prefix string) (names []string, sources [][]byte, err error) {
	size := 0
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && isToolsDir(name):
			return fs.SkipDir
		case err != nil || d.IsDir() || path.Ext(name) != ".rego":
			return err
		}
		source, err := readPolicy(root, name)
		if err != nil {
			return fmt.Errorf("policies: %s: %w", path.Join(prefix, name), regular.Cause(err))
		}
		if size += len(source); size > maxPolicies {
			return fmt.Errorf("policies: the files in %s have more than %d MiB", prefix, maxPolicies>>20)
		}
		names, sources = append(names, name), append(sources, source)
		return nil
	})
	return names, sources, err
}

// addExamples reads the file of examples beside a rule.
func (p *File) addExamples(root fs.FS, rule, prefix string) error {
	if !p.IsRule() {
		return nil
	}
	name, source, err := readExamplesFile(root, rule)
	if err != nil || name == "" {
		return err
	}
	p.examplesFile, p.examplesSource = path.Join(prefix, name), source
	return nil
}

func readPolicy(root fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(root, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxFileSize {
		return nil, fmt.Errorf("%s: %d bytes; a policy can have at most %d", name, info.Size(), MaxFileSize)
	}
	data, err := fs.ReadFile(root, name)
	return withoutMark(data), err
}

// withoutMark removes a byte order mark, behind which OPA does not find the METADATA.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// IsTest reports whether the file holds tests.
func (p *File) IsTest() bool { return strings.HasSuffix(p.Name, "_test.rego") }

// IsLib reports whether the file holds helpers that policies share.
func (p *File) IsLib() bool {
	for _, pkg := range []string{LibPackage, HelpersPackage} {
		if p.Package == pkg || strings.HasPrefix(p.Package, pkg+".") {
			return true
		}
	}
	return false
}

// IsRule reports whether the file holds a rule.
func (p *File) IsRule() bool { return !p.IsTest() && !p.IsLib() }

// Modules returns the modules of files by their names.
func Modules(files []*File) map[string]*ast.Module {
	modules := map[string]*ast.Module{}
	for _, f := range files {
		modules[f.Name] = f.Module
	}
	return modules
}
