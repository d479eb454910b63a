package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/salint/salint/rules/policy"
)

// addUserPolicies reads the rules of the folders. Everything that is wrong with them is said at once.
func (r *Registry) addUserPolicies(dirs []string) error {
	var added []string
	for _, dir := range dirs {
		files, err := parseDir(dir)
		if err != nil {
			return err
		}
		for _, f := range files {
			if f.isTest() {
				continue
			}
			if err := r.addUserPolicy(f); err != nil {
				return err
			}
			added = append(added, userKey(f.name))
		}
	}
	if len(added) == 0 {
		return nil
	}
	// Compiling them here says at the start what is broken, rather than when the first object of a kind is met.
	if _, err := r.compile(added, policy.Compile); err != nil {
		return fmt.Errorf("%w\n(docs/policies.md describes what policies may use; `salint policy test DIR` checks them)", err)
	}
	return nil
}

// userKey keeps a user's file apart from a built-in policy of the same name.
func userKey(file string) string { return userPrefix + file }

func isUserKey(key string) bool { return strings.HasPrefix(key, userPrefix) }

const userPrefix = "user:"

// parseDir parses the Rego files below a folder. Their names are made of the folder as it was given.
func parseDir(dir string) ([]*policyFile, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s with policies: correct --policy or `policies:` in .salint.yaml", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("policies: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("policies: %s is not a folder: name the one that it lies in", dir)
	}
	return parsePolicies(os.DirFS(dir), filepath.ToSlash(dir))
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
			return fmt.Errorf("%s:%d: there is a rule %s already (%s): choose another package, as in salint.rules.custom.%s",
				f.name, f.module.Package.Location.Row, rule.Name, origin(&r.rules[i]), lastStep(f.packageName()))
		}
	}
	rule.User = true
	r.addWorkloads(&rule)
	r.rules = append(r.rules, rule)
	r.sources.add(userKey(f.name), f.module)
	return nil
}

// addUserLib takes in helpers that the user's rules share. They must not change what the built-in helpers do.
func (r *Registry) addUserLib(f *policyFile) error {
	taken, err := r.sources.taken(f.packageName())
	if err != nil {
		return err
	}
	if taken {
		return fmt.Errorf("%s:%d: package %s is salint's own: choose another below salint.lib, as in salint.lib.my_helpers",
			f.name, f.module.Package.Location.Row, strings.TrimPrefix(f.packageName(), "data."))
	}
	r.sources.add(userKey(f.name), f.module)
	return nil
}

func origin(r *Rule) string {
	if r.User {
		return r.File
	}
	return "built in"
}

func lastStep(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
