package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"sigs.k8s.io/yaml"
)

// input is a test input of another program.
type input struct {
	check *check
	// name identifies it in its checkout.
	name      string
	manifests []string
	// object is the only object that counts; "" for all.
	object string
	fails  bool
}

// inputs returns those of a check.
func inputs(folder string, c *check) ([]input, error) {
	read := map[string]func(string, *check) ([]input, error){
		"kube-linter": ofKubeLinter, "polaris": ofPolaris, "regolibrary": ofKubescape, "trivy-checks": ofTrivy, "checkov": ofCheckov, "KubiScan": ofKubiScan,
	}[c.peer]
	all, err := read(filepath.Join(folder, c.peer), c)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s has no inputs of %s", c.peer, c.name)
	}
	return all, err
}

// ofKubeLinter reads a file whose objects are called after what is expected of them. Those that must be reported have several names, so the file counts as one.
func ofKubeLinter(folder string, c *check) ([]input, error) {
	text, err := os.ReadFile(filepath.Join(folder, "tests", "checks", c.name+".yml"))
	if err != nil {
		return nil, err
	}
	all := []input{{check: c, name: c.name, manifests: []string{string(text)}, fails: true}}
	for _, name := range distinct(regexp.MustCompile(`(?m)^ +name: (dont-fire\S*)`).FindAllStringSubmatch(string(text), -1)) {
		all = append(all, input{check: c, name: c.name + "/" + name, manifests: []string{string(text)}, object: name})
	}
	return all, nil
}

func distinct(found [][]string) (names []string) {
	for _, match := range found {
		if name := strings.Trim(match[1], `"'`); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ofPolaris reads files that are called after what is expected of them.
func ofPolaris(folder string, c *check) ([]input, error) {
	return ofFiles(c, filepath.Join(folder, "test", "checks", c.name, "*.yaml"), "failure", "success")
}

// ofCheckov reads files that are called after what is expected of them, or the folders of a check of several objects.
func ofCheckov(folder string, c *check) ([]input, error) {
	if graph := filepath.Join(folder, "tests", "kubernetes", "graph", "checks", "resources", c.name); isFolder(graph) {
		return ofFolders(c, graph)
	}
	return ofFiles(c, filepath.Join(folder, "tests", "kubernetes", "checks", "example_"+c.name, "*.y*ml"), "fail", "pass")
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// ofFolders reads the files of each folder Failing* and Passing*, or of its folders.
func ofFolders(c *check, folder string) ([]input, error) {
	byFolder := map[string]*input{}
	err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		dir, _ := filepath.Rel(folder, filepath.Dir(file))
		if err != nil || entry.IsDir() || dir == "." {
			return err
		}
		if byFolder[dir] == nil {
			byFolder[dir] = &input{check: c, name: c.name + "/" + filepath.ToSlash(dir), fails: strings.HasPrefix(dir, "Failing")}
		}
		text, err := os.ReadFile(file)
		byFolder[dir].manifests = append(byFolder[dir].manifests, string(text))
		return err
	})
	var all []input
	for _, dir := range slices.Sorted(maps.Keys(byFolder)) {
		all = append(all, *byFolder[dir])
	}
	return all, err
}

// ofFiles reads files of a pattern, whose names contain what is expected.
func ofFiles(c *check, pattern, fails, passes string) ([]input, error) {
	files, err := filepath.Glob(pattern)
	var all []input
	for _, file := range files {
		base := strings.ToLower(filepath.Base(file))
		text, readError := os.ReadFile(file)
		if err = errors.Join(err, readError); strings.Contains(base, fails) || strings.Contains(base, passes) {
			all = append(all, input{check: c, name: c.name + "/" + filepath.Base(file), manifests: []string{string(text)}, fails: strings.Contains(base, fails)})
		}
	}
	return all, err
}

// ofKubescape reads folders with files, and the expected alerts.
func ofKubescape(folder string, c *check) ([]input, error) {
	folders, err := filepath.Glob(filepath.Join(folder, "rules", c.name, "test", "*"))
	var all []input
	for _, of := range folders {
		expected, readError := os.ReadFile(filepath.Join(of, "expected.json"))
		if readError != nil {
			return nil, readError
		}
		var alerts []any
		if err := json.Unmarshal(bytes.TrimSpace(expected), &alerts); err != nil {
			return nil, fmt.Errorf("%s: %w", of, err)
		}
		one := input{check: c, name: c.name + "/" + filepath.Base(of), fails: len(alerts) > 0}
		files, globError := filepath.Glob(filepath.Join(of, "input", "*"))
		err = errors.Join(err, globError)
		for _, file := range files {
			text, readError := os.ReadFile(file)
			err = errors.Join(err, readError)
			one.manifests = append(one.manifests, string(text))
		}
		all = append(all, one)
	}
	return all, err
}

// ofTrivy reads the inputs in tests of policies: `deny with input as {…}`, and how many denials are expected.
func ofTrivy(folder string, c *check) ([]input, error) {
	file := filepath.Join(folder, "checks", "kubernetes", c.name+"_test.rego")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	module, err := ast.ParseModule(file, string(text))
	if err != nil {
		return nil, err
	}
	var all []input
	for _, rule := range module.Rules {
		one := input{check: c, name: c.name + "/" + string(rule.Head.Name), fails: !strings.Contains(rule.Body.String(), "equal(count(r), 0)")}
		if strings.Contains(rule.Body.String(), "count(r) == 0") || strings.Contains(rule.Body.String(), "count(r, 0)") {
			one.fails = false
		}
		for _, expression := range rule.Body {
			for _, with := range expression.With {
				value, err := ast.JSON(with.Value.Value)
				if err != nil {
					continue // with a variable
				}
				data, err := json.Marshal(value)
				if err != nil {
					return nil, err
				}
				one.manifests = append(one.manifests, string(data))
			}
		}
		if len(one.manifests) == 1 {
			all = append(all, one)
		}
	}
	return all, nil
}

// ofKubiScan reads the rules that it calls risky, each as a role.
func ofKubiScan(folder string, c *check) ([]input, error) {
	text, err := os.ReadFile(filepath.Join(folder, "risky_roles.yaml"))
	if err != nil {
		return nil, err
	}
	var list struct{ Items []map[string]any }
	if err := yaml.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	var all []input
	for _, role := range list.Items {
		role["apiVersion"] = "rbac.authorization.k8s.io/v1"
		metadata, _ := role["metadata"].(map[string]any)
		delete(metadata, "priority")
		data, err := json.Marshal(role)
		if err != nil {
			return nil, err
		}
		all = append(all, input{check: c, name: fmt.Sprintf("%s/%v", c.name, metadata["name"]), manifests: []string{string(data)}, fails: true})
	}
	return all, nil
}
