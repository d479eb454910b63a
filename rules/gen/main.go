// Command gen writes what is derived from the METADATA of the policies: rules/index.json and docs/rules.md. It is run by
// go generate in the folder rules.
package main

import (
	"fmt"
	"os"

	"github.com/salint/salint/rules"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate() error {
	policies := os.DirFS("../rego")
	index, err := rules.BuildIndex(policies)
	if err != nil {
		return err
	}
	if err := os.WriteFile("index.json", index, 0o644); err != nil {
		return err
	}
	page, err := rules.BuildPage(policies)
	if err != nil {
		return err
	}
	return os.WriteFile("../docs/rules.md", page, 0o644)
}
