// Command gen writes the files derived from the METADATA of the policies: rules/index/index.json, rules/index/texts.json, and
// docs/rules.md. It is run by go generate in the folder rules.
package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/salint/salint/rules/index"
	"github.com/salint/salint/rules/ruledoc"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate() error {
	files, err := derived(os.DirFS("../rego"))
	if err != nil {
		return err
	}
	for file, content := range files {
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// derived returns the contents of the files, by their paths from the folder rules.
func derived(policies fs.FS) (map[string][]byte, error) {
	list, err := index.Derive(policies)
	if err != nil {
		return nil, err
	}
	rules, texts, err := index.Encode(list)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"index/index.json": rules, "index/texts.json": texts, "../docs/rules.md": ruledoc.Page("Rules", introduction, "", list)}, nil
}

// introduction is the text above the rules.
const introduction = "Made by `go generate ./rules` from the METADATA of the policies: edit those."
