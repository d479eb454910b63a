package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/rules/conditions"
	"github.com/salint/salint/rules/fixes"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/sandbox"
)

// addUserPolicies reads the rules of the folders. The error lists all problems with them.
func (r *Registry) addUserPolicies(ctx context.Context, o Options) error {
	var policies []sandbox.Source
	var documents []metadata.Document
	seen := map[string]bool{}
	var protected ownership
	var known copies
	for _, dir := range o.PolicyDirs {
		if seen[filepath.Clean(dir)] {
			continue // the configuration and the command line can name the same folder
		}
		seen[filepath.Clean(dir)] = true
		before := len(r.rules)
		files, sources, data, err := r.addUserFolder(ctx, dir, o.OpenDir, &known)
		if err != nil {
			return err
		}
		policies, documents = append(policies, sources...), append(documents, data...)
		if !slices.Contains(o.Platform, dir) {
			if err := protected.check(files, data); err != nil {
				return err
			}
			continue
		}
		protected.add(files, data)
		for i := before; i < len(r.rules); i++ {
			r.rules[i].Platform = true
		}
	}
	if len(policies) == 0 && len(documents) == 0 {
		r.Close()
		return nil
	}
	// Compiling them here reports mistakes at the start, not when the first object of a kind is evaluated.
	if err := r.sandbox.Check(ctx, policies, documents); err != nil {
		return fmt.Errorf("%w\n(docs/policies.md describes what policies can use; `salint policy test DIR` checks them)", err)
	}
	return nil
}

// addUserFolder reads the rules of one folder, without the files that others are copies of.
func (r *Registry) addUserFolder(ctx context.Context, dir string, open sandbox.OpenDir, known *copies) (
	files []*metadata.File, policies []sandbox.Source, documents []metadata.Document, err error,
) {
	if files, documents, err = r.sandbox.ParseDir(ctx, dir, open); err != nil {
		return nil, nil, nil, err
	}
	notes, err := sandbox.Strays(dir, open)
	if err != nil {
		return nil, nil, nil, err
	}
	r.notes = append(r.notes, notes...)
	if len(documents) == 0 && !slices.ContainsFunc(files, func(f *metadata.File) bool { return !f.IsTest() }) {
		return nil, nil, nil, fmt.Errorf("policies: %s has no rule, no library, and no data, so none of its rules is evaluated: correct the path, "+
			"or, if it is a submodule, check it out (git submodule update --init)", dir)
	}
	files, documents = known.remove(files, documents)
	var problems []error
	for _, f := range files {
		if f.IsTest() {
			continue
		}
		source, err := r.addUserPolicy(f)
		problems = append(problems, err)
		policies = append(policies, source)
	}
	return files, policies, documents, errors.Join(problems...)
}

func (r *Registry) addUserPolicy(f *metadata.File) (sandbox.Source, error) {
	if f.IsLib() {
		return sandbox.SourceOf(f), r.addUserLib(f)
	}
	rule, err := f.Rule(conditions.Names())
	if err != nil {
		return sandbox.Source{}, err
	}
	for i := range r.rules {
		if r.rules[i].Name == rule.Name && r.rules[i].User && filepath.Clean(r.rules[i].File) == filepath.Clean(f.Name) {
			return sandbox.Source{}, fmt.Errorf("%s is read twice, because `policies:` or --policy names its folder and one that contains it: name one of them", f.Name)
		}
		if r.rules[i].Name == rule.Name {
			return sandbox.Source{}, fmt.Errorf("%s:%d: the rule %s already exists (%s): choose another package, as in salint.rules.custom.%s",
				f.Name, f.PackageRow, rule.Name, origin(&r.rules[i]), lastStep(f.Package))
		}
	}
	if err := f.CheckFamily(&rule, r.isOwnFamily); err != nil {
		return sandbox.Source{}, err
	}
	rule.User, rule.ComputesFix = true, bytes.Contains(f.Source, []byte(".with_fix("))
	rule.AddWorkloads(r.pods)
	if err := f.CheckReach(&rule); err != nil {
		return sandbox.Source{}, err
	}
	rule.Fix.Kind = fixes.KindFor(rule.Fix.Name, rule.Fix.Kind, rule.Fix.Args, rule.Kinds)
	if err := f.CheckFix(&rule, r.pods); err != nil {
		return sandbox.Source{}, err
	}
	r.rules = append(r.rules, rule)
	return sandbox.SourceOfRule(f, &rule), nil
}

// isOwnFamily reports whether salint has rules of a family.
func (r *Registry) isOwnFamily(family string) bool {
	return slices.ContainsFunc(r.rules, func(rule metadata.Rule) bool { return !rule.User && rule.Family == family })
}

// addUserLib checks helpers that the user's rules share. They must not change the behavior of the built-in helpers.
func (r *Registry) addUserLib(f *metadata.File) error {
	if modules.Taken(f.Package) {
		return fmt.Errorf("%s:%d: package %s is salint's own: choose another below salint.lib, as in salint.lib.my_helpers",
			f.Name, f.PackageRow, strings.TrimPrefix(f.Package, "data."))
	}
	return nil
}

func origin(r *metadata.Rule) string {
	if r.User {
		return r.File
	}
	return "built in"
}

func lastStep(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
