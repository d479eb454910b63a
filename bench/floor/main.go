// Command floor builds kustomizations one after the other with kustomize's own library. That is the least that a program pays which has to
// know what a repository applies:
//
//	go run ./bench/floor -find FOLDER >LIST # the kustomizations below a folder that can be built
//	go run ./bench/floor LIST               # builds each of them once
//
// Those that need a network, a program, or Helm cannot be built.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

func main() {
	find := flag.String("find", "", "list the kustomizations below `FOLDER` that can be built")
	flag.Parse()
	log.SetOutput(io.Discard) // kustomize warns of old fields
	withoutNetwork()
	if err := run(*find, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(2)
	}
}

func run(root string, lists []string) error {
	if root != "" {
		return findIn(root)
	}
	if len(lists) != 1 {
		return errors.New("want the name of a list, or -find FOLDER")
	}
	return buildAll(lists[0])
}

var errNoNetwork = errors.New("there is no network")

type refuse struct{}

func (refuse) RoundTrip(*http.Request) (*http.Response, error) { return nil, errNoNetwork }

// withoutNetwork makes remote references fail at once: kustomize asks for them with Go's HTTP client, and with the program git.
func withoutNetwork() {
	http.DefaultTransport = refuse{}
	os.Setenv("PATH", "")
}

// findIn lists the folders that have a kustomization that can be built, in the order of their names.
func findIn(root string) error {
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir():
			return err
		case entry.Name() == ".git":
			return fs.SkipDir
		}
		for _, file := range konfig.RecognizedKustomizationFileNames() {
			if _, err := os.Stat(filepath.Join(name, file)); err == nil && build(name) == nil {
				fmt.Println(name)
				break
			}
		}
		return nil
	})
}

func buildAll(list string) error {
	file, err := os.Open(list)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if err := build(lines.Text()); err != nil {
			return fmt.Errorf("%s: %w", lines.Text(), err)
		}
	}
	return lines.Err()
}

// build builds a folder, whose files can be anywhere. A schema of a kustomization does not stay for the next.
func build(folder string) (err error) {
	before := openapi.GetSchemaVersion()
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
		if openapi.GetSchemaVersion() != before {
			openapi.ResetOpenAPI()
		}
	}()
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	_, err = krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
	return err
}
