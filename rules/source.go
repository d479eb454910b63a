package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/rules/policy"
)

// maxPolicySize prevents a folder with other content than policies from being read into memory.
const maxPolicySize = 1 << 20

// libPackage is the package of the helpers that policies share. Further ones are below it.
const libPackage = "data.salint.lib"

// policyFile is one Rego file, parsed with its annotations.
type policyFile struct {
	// name is the file name in errors.
	name   string
	source []byte
	module *ast.Module
	// block is the METADATA of the package, nil if there is none.
	block *ast.Annotations
	// examplesFile is the file with the examples beside a rule, "" if there is none.
	examplesFile   string
	examplesSource []byte
}

func parsePolicy(name string, source []byte) (*policyFile, error) {
	module, err := policy.Parse(name, source)
	if err != nil {
		return nil, policy.Explain(err, builtins())
	}
	return &policyFile{name: name, source: source, module: module, block: packageBlock(module)}, nil
}

// parsePolicies parses all Rego files below a root, including tests, in the order of their names. The prefix is added to
// the names in errors.
func parsePolicies(root fs.FS, prefix string) ([]*policyFile, error) {
	var files []*policyFile
	var problems []error
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".rego" {
			return err
		}
		source, err := readPolicy(root, name)
		if err != nil {
			return fmt.Errorf("policies: %s: %w", path.Join(prefix, name), regular.Cause(err))
		}
		file, err := parsePolicy(path.Join(prefix, name), source)
		if err != nil {
			problems = append(problems, err)
			return nil
		}
		if err := file.addExamples(root, name, prefix); err != nil {
			return err
		}
		files = append(files, file)
		return nil
	})
	return files, errors.Join(append(problems, err)...)
}

// addExamples reads the file of examples beside a rule.
func (p *policyFile) addExamples(root fs.FS, policy, prefix string) error {
	if !p.isRule() {
		return nil
	}
	name, source, err := readExamplesFile(root, policy)
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
	if info.Size() > maxPolicySize {
		return nil, fmt.Errorf("%s: %d bytes; a policy can have at most %d", name, info.Size(), maxPolicySize)
	}
	return fs.ReadFile(root, name)
}

// packageBlock is the METADATA block of the package, nil if there is none.
func packageBlock(module *ast.Module) *ast.Annotations {
	for _, a := range module.Annotations {
		if a.Scope == "package" {
			return a
		}
	}
	return nil
}

func (p *policyFile) isTest() bool { return strings.HasSuffix(p.name, "_test.rego") }

func (p *policyFile) packageName() string { return p.module.Package.Path.String() }

func (p *policyFile) isLib() bool {
	return p.packageName() == libPackage || strings.HasPrefix(p.packageName(), libPackage+".")
}

func (p *policyFile) isRule() bool { return !p.isTest() && !p.isLib() }
