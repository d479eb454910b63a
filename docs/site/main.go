// Command site builds the documentation site from the Markdown in docs: a folder of plain files that a browser opens from a disk or
// from any server. It reads nothing from the network, and fails if a link leads nowhere.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", "../..", "the root of the repository")
	out := flag.String("out", "../../bin/site", "the folder of the site, which keeps other versions")
	version := flag.String("version", "main", "the version that the pages describe: a tag, or main")
	flag.Parse()
	if err := run(*root, *out, *version); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(root, out, version string) error {
	site, err := Build(root, version)
	if err != nil {
		return err
	}
	if err := site.Check(); err != nil {
		return err
	}
	if err := Write(out, version, site); err != nil {
		return err
	}
	fmt.Printf("%d pages of version %s: %s/index.html\n", site.Pages(), version, out)
	return nil
}
