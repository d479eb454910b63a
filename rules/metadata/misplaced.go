package metadata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// checkPlace returns an error for a rule in a file that is read as something else: it would never be evaluated.
func (p *File) checkPlace() error {
	if p.IsRule() || !p.describesRule() {
		return nil
	}
	if p.IsTest() {
		return fmt.Errorf("%s:%d: files named …_test.rego hold tests, so this rule would never be evaluated: rename the file", p.Name, p.PackageRow)
	}
	return fmt.Errorf("%s:%d: packages below salint.lib hold helpers, so this rule would never be evaluated: a rule is `package salint.rules.<family>.<rule>`", p.Name, p.PackageRow)
}

// describesRule reports whether a file has the METADATA of a rule, or reports findings and is no test.
func (p *File) describesRule() bool {
	if len(p.Tests) == 0 && slices.ContainsFunc(p.Reports, func(r reportRule) bool { return r.Set }) {
		return true
	}
	if p.Block == nil {
		return false
	}
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(p.Block.Custom, &keys)
	return keys["severity"] != nil || keys["kinds"] != nil
}

// checkExampleFiles returns an error for each file of examples that belongs to no rule: its examples would never be run.
func checkExampleFiles(root fs.FS, prefix string, files []*File) error {
	var problems []error
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && isToolsDir(name):
			return fs.SkipDir
		case err != nil || d.IsDir() || !strings.HasSuffix(name, examplesSuffix):
			return err
		}
		policy := path.Join(prefix, strings.TrimSuffix(name, examplesSuffix)+".rego")
		if !slices.ContainsFunc(files, func(f *File) bool { return f.Name == policy && f.IsRule() }) {
			problems = append(problems, fmt.Errorf("%s: there is no rule in %s, so these examples would never be run: name the file after the file of its rule", path.Join(prefix, name), path.Base(policy)))
		}
		return nil
	})
	return errors.Join(append(problems, err)...)
}
