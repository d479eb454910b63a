package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// addUserPolicies reads the rules of the folders. The error lists all problems with them.
func (r *Registry) addUserPolicies(ctx context.Context, dirs []string, open OpenDir) error {
	box := &sandbox{}
	var policies []userSource
	for _, dir := range dirs {
		files, err := box.parseDir(ctx, dir, open)
		if err != nil {
			box.close()
			return err
		}
		for _, f := range files {
			if f.isTest() {
				continue
			}
			if err := r.addUserPolicy(f); err != nil {
				box.close()
				return err
			}
			policies = append(policies, f.userSource())
		}
	}
	if len(policies) == 0 {
		box.close()
		return nil
	}
	// Compiling them here reports mistakes at the start, not when the first object of a kind is evaluated.
	if err := box.check(ctx, policies); err != nil {
		box.close()
		return fmt.Errorf("%w\n(docs/policies.md describes what policies can use; `salint policy test DIR` checks them)", err)
	}
	r.sandbox = box
	return nil
}

func (p *policyFile) userSource() userSource {
	return userSource{Name: p.name, Source: string(p.source)}
}

// userKey distinguishes a user's file from a built-in policy of the same name.
func userKey(file string) string { return userPrefix + file }

const userPrefix = "user:"

// OpenDir opens a folder of policies, of which files above limit bytes cannot be read.
type OpenDir func(dir string, limit int64) (regular.Dir, error)

// parseDir parses the Rego files below a folder. Their names begin with the folder as given.
func (s *sandbox) parseDir(ctx context.Context, dir string, open OpenDir) ([]*policyFile, error) {
	if open == nil {
		open = func(dir string, limit int64) (regular.Dir, error) { return regular.OpenFolder(dir, limit) }
	}
	folder, err := open(dir, maxPolicySize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s with policies: correct --policy or `policies:` in .salint.yaml", dir)
	case errors.Is(err, regular.ErrNotFolder):
		return nil, fmt.Errorf("policies: %s is not a folder: name the folder that contains it", dir)
	case err != nil:
		return nil, fmt.Errorf("policies: %s: %w", dir, err)
	}
	defer folder.Close()
	return parsePolicies(folder, filepath.ToSlash(dir), func(p *policyFile) (mistakes, stop error) { return s.parse(ctx, p) })
}

func (r *Registry) addUserPolicy(f *policyFile) error {
	if f.isLib() {
		return r.addUserLib(f)
	}
	rule, err := f.rule()
	if err != nil {
		return err
	}
	for i := range r.rules {
		if r.rules[i].Name == rule.Name {
			return fmt.Errorf("%s:%d: the rule %s already exists (%s): choose another package, as in salint.rules.custom.%s",
				f.name, f.PackageRow, rule.Name, origin(&r.rules[i]), lastStep(f.Package))
		}
	}
	rule.User = true
	r.addWorkloads(&rule)
	r.rules = append(r.rules, rule)
	return nil
}

// addUserLib checks helpers that the user's rules share. They must not change the behavior of the built-in helpers.
func (r *Registry) addUserLib(f *policyFile) error {
	taken, err := r.sources.taken(f.Package)
	if err != nil {
		return err
	}
	if taken {
		return fmt.Errorf("%s:%d: package %s is salint's own: choose another below salint.lib, as in salint.lib.my_helpers",
			f.name, f.PackageRow, strings.TrimPrefix(f.Package, "data."))
	}
	return nil
}

func origin(r *Rule) string {
	if r.User {
		return r.File
	}
	return "built in"
}

func lastStep(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
