package settings

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/testfiles"
)

// Validate checks what cannot be checked while reading: targets, with the given function, and rule patterns, each of which
// must match a known rule. The errors are *Error, joined.
func (c *Config) Validate(checkTarget func(name string) error, knownRules []string) error {
	var all []error
	for _, of := range c.joined {
		all = append(all, of.Validate(checkTarget, knownRules))
	}
	if c.joined != nil {
		return errors.Join(all...)
	}
	fail := func(at position, err error) {
		all = append(all, &Error{c.Path, at.line, at.column, err.Error()})
	}
	check := func(target string, at position) {
		if target == "" {
			return
		}
		if err := checkTarget(target); err != nil {
			fail(at, err)
		}
	}
	check(c.Target, c.targetAt)
	for _, o := range c.Overrides {
		check(o.Target, o.targetAt)
	}
	for _, rules := range c.allRules() {
		for _, r := range rules {
			if err := checkRule(r.Pattern, knownRules); err != nil && !c.hasOtherRules {
				fail(r.at, err)
			}
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(c.ignoresAt)) {
		if err := checkRule(pattern, knownRules); err != nil && !c.hasOtherRules {
			fail(c.ignoresAt[pattern], err)
		}
	}
	for _, by := range c.narrowedBy {
		all = append(all, by.Validate(checkTarget, knownRules))
	}
	return errors.Join(all...)
}

func checkRule(pattern string, known []string) error {
	if slices.ContainsFunc(known, func(name string) bool { return glob.Rule(pattern, name) }) {
		return nil
	}
	if strings.ContainsAny(pattern, "*?[{") {
		if near := nearest.Name(pattern, families(known)); near != "" {
			return fmt.Errorf("no rule matches %q; did you mean %q?", pattern, near)
		}
		return fmt.Errorf("no rule matches %q: see `salint rules`", pattern)
	}
	err := unknownName("rule", pattern, known)
	if strings.Contains(err.Error(), "did you mean") {
		return err
	}
	return fmt.Errorf("unknown rule: %q: see `salint rules`", pattern)
}

// families returns the pattern of each family of rules, such as olm/*.
func families(rules []string) []string {
	var patterns []string
	for _, name := range rules {
		family, _, _ := strings.Cut(name, "/")
		patterns = append(patterns, family+"/*")
	}
	return slices.Compact(patterns)
}

// CheckInside returns an error for each folder of policies, a baseline, and a cache that lie outside of the repository: a file of the
// repository, which a pull request can change, must not choose what else is read or written. The receiver is a result of RelativeTo.
func (c *Config) CheckInside() error {
	var problems []error
	for i, p := range c.Policies {
		if !filepath.IsLocal(filepath.FromSlash(p)) {
			at := c.policiesAt[i]
			problems = append(problems, &Error{c.Path, at.line, at.column,
				fmt.Sprintf("policies: %q is outside of the repository: move it there, or name it with --policy", p)})
		}
	}
	if c.Baseline != "" && !filepath.IsLocal(filepath.FromSlash(c.Baseline)) {
		problems = append(problems, &Error{c.Path, c.baselineAt.line, c.baselineAt.column,
			fmt.Sprintf("baseline: %q is outside of the repository: move it there, or name it with --baseline", c.Baseline)})
	}
	if c.Cache != "" && !filepath.IsLocal(filepath.FromSlash(c.Cache)) {
		problems = append(problems, &Error{c.Path, c.cacheAt.line, c.cacheAt.column,
			fmt.Sprintf("cache: %q is outside of the repository: use a folder in it, or name it with --cache", c.Cache)})
	}
	return errors.Join(problems...)
}

// ExtendsError returns an error about the file that narrows the settings, at its place.
func (c *Config) ExtendsError(err error) error {
	return &Error{c.Path, c.extendsAt.line, c.extendsAt.column, fmt.Sprintf("extends: %q: %v", c.Extends, err)}
}

// CacheError returns an error about the cache, at its place in the file.
func (c *Config) CacheError(err error) error {
	return &Error{c.Path, c.cacheAt.line, c.cacheAt.column, fmt.Sprintf("cache: %q cannot be used: %v", c.Cache, err)}
}

// RelativeTo returns the same configuration with every path relative to the root of the repository. In the file, paths are
// relative to its folder. For a file outside the repository they already are relative to the root. Absolute paths stay.
func (c *Config) RelativeTo(root string) *Config {
	folder := c.folder(root)
	if c.Path == "" {
		folder = "."
	}
	return c.in(folder)
}

// in returns the configuration with every path below a folder.
func (c *Config) in(folder string) *Config {
	out := *c
	if folder == "." {
		return &out
	}
	out.Exclude, out.patterns = below(c.Exclude, folder), patternsBelow(c.patterns, folder)
	out.Tests = mapSlice(c.Tests, func(p testfiles.Pattern) testfiles.Pattern {
		return testfiles.Pattern{Path: p.Below(folder), Not: p.Not}
	})
	out.Overrides = slices.Clone(c.Overrides)
	for i, o := range out.Overrides {
		out.Overrides[i].Paths = below(o.Paths, folder)
	}
	join := func(p string) string {
		if path.IsAbs(p) || filepath.IsAbs(p) {
			return p
		}
		return path.Join(folder, p)
	}
	out.Policies = mapSlice(c.Policies, join)
	if c.Baseline != "" {
		out.Baseline = join(c.Baseline)
	}
	if c.Cache != "" {
		out.Cache = join(c.Cache)
	}
	out.Bundles = map[string]string{}
	for name, dir := range c.Bundles {
		out.Bundles[name] = join(dir)
	}
	out.Clusters = map[string][]string{}
	for name, roots := range c.Clusters {
		out.Clusters[name] = mapSlice(roots, join)
	}
	out.Helm, out.helmAt = map[string]Chart{}, map[string]position{}
	for dir, chart := range c.Helm {
		chart.Values = mapSlice(chart.Values, func(set []string) []string { return mapSlice(set, join) })
		out.Helm[join(dir)], out.helmAt[join(dir)] = chart, c.helmAt[dir]
	}
	return &out
}

// folder returns the folder of the file, relative to the root; "." for a file outside the root.
func (c *Config) folder(root string) string {
	abs, err := filepath.Abs(c.Path)
	if err != nil {
		return "."
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(root, filepath.Dir(abs))
	if err != nil || !filepath.IsLocal(rel) {
		return "."
	}
	return filepath.ToSlash(rel)
}

func below(patterns []glob.Path, folder string) []glob.Path {
	return mapSlice(patterns, func(p glob.Path) glob.Path { return p.Below(folder) })
}

func mapSlice[T any](in []T, f func(T) T) []T {
	out := make([]T, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}
