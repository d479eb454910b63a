// Command gen writes the files derived from the METADATA of the policies: rules/index.json, rules/texts.json, and
// docs/rules.md. It is run by go generate in the folder rules.
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
	index, texts, err := rules.BuildIndex(policies)
	if err != nil {
		return err
	}
	page, err := rules.BuildPage(policies)
	if err != nil {
		return err
	}
	for file, content := range map[string][]byte{"index.json": index, "texts.json": texts, "../docs/rules.md": page} {
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
