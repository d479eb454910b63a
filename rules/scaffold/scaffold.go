// Package scaffold holds the files with which an author of rules begins, and those that OPA's tools need to check them.
package scaffold

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rego"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/inputschema"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

//go:embed starter
var starter embed.FS

// File is a file to write below the folder of the policies.
type File struct {
	Name string
	Text []byte
}

// Names of files for OPA's tools.
const (
	Input        = metadata.ToolsDir + "/input.json"
	Capabilities = metadata.ToolsDir + "/capabilities.json"
	RegalConfig  = ".regal/config.yaml"
)

// Starter returns a rule with its test and examples.
func Starter() ([]File, error) {
	entries, err := starter.ReadDir("starter")
	var files []File
	for _, e := range entries {
		text, errRead := starter.ReadFile("starter/" + e.Name())
		if errRead != nil {
			return nil, errRead
		}
		files = append(files, File{e.Name(), plain(text)})
	}
	return files, err
}

// ForTools returns the files of OPA's tools that are not edited: the capabilities with salint's functions, the schema of the input,
// and the public helpers.
func ForTools() ([]File, error) {
	capabilities, err := json.MarshalIndent(policy.Capabilities(builtins.All()), "", "  ")
	if err != nil {
		return nil, err
	}
	finding, err := fs.ReadFile(rego.Policies, "lib/finding.rego")
	if err != nil {
		return nil, err
	}
	const note = "# Written by `salint policy init`, for OPA's tools. salint has this package itself, and does not read this file.\n"
	return []File{
		{Capabilities, append(capabilities, '\n')},
		{Input, plain(inputschema.Text())},
		{metadata.ToolsDir + "/lib/finding.rego", append([]byte(note), plain(finding)...)},
	}, nil
}

// ForRegal returns a configuration of regal that knows salint's functions.
func ForRegal() File {
	var b strings.Builder
	b.WriteString(`# The configuration of regal for policies of salint.
rules:
  imports:
    # salint reports these when it loads the rules, and knows data.yaml and the helpers.
    unresolved-import:
      level: ignore
    unresolved-reference:
      level: ignore
  # regal does not read the arguments of functions in this file, and takes them for variables.
  bugs:
    var-shadows-builtin:
      level: ignore
  style:
    function-arg-return:
      except-functions:
` + functionNames() + `  idiomatic:
    # A package is salint.rules.<family>.<rule> in whatever folder the file is.
    directory-package-mismatch:
      level: ignore
    # salint evaluates the set report of each rule.
    no-defined-entrypoint:
      level: ignore
capabilities:
  # Functions of OPA that salint does not have.
  minus:
    builtins:
`)
	have := policy.Capabilities(builtins.All())
	for _, f := range ast.CapabilitiesForThisVersion().Builtins {
		if !slices.ContainsFunc(have.Builtins, func(own *ast.Builtin) bool { return own.Name == f.Name }) {
			fmt.Fprintf(&b, "      - name: %s\n", f.Name)
		}
	}
	b.WriteString("  # Functions of salint.\n  plus:\n    builtins:\n")
	for _, f := range have.Builtins {
		if strings.HasPrefix(f.Name, "salint.") {
			fmt.Fprintf(&b, "      - {name: %s, decl: {type: function}}\n", f.Name)
		}
	}
	return File{RegalConfig, []byte(b.String())}
}

// functionNames lists salint's functions as items of YAML.
func functionNames() string {
	var b strings.Builder
	for _, f := range builtins.All() {
		fmt.Fprintf(&b, "        - %s\n", f.Name)
	}
	return b.String()
}

// Commands are the command lines that check policies in a folder.
func Commands(dir string) []string {
	tools := "--capabilities " + path.Join(dir, Capabilities)
	return []string{
		"salint policy test " + dir,
		"opa check --strict --bundle --schema " + path.Join(dir, Input) + " " + tools + " " + dir,
		"opa test --bundle " + tools + " " + dir,
		"opa fmt --list --fail " + dir,
		"regal lint " + dir,
	}
}

// plain returns a text with the line ends of Unix, also if the program was built from a checkout of Windows.
func plain(text []byte) []byte { return []byte(strings.ReplaceAll(string(text), "\r\n", "\n")) }
