// Command generate writes a repository of manifests to measure tools on:
//
//	go run ./bench/generate [-files 10000] [-size 1500] [-seed 1] [-flat] DIR
//
// The same flags give the same bytes. One file in a hundred concerns ClusterExtensions and their accounts; the others
// are what lies beside them in GitOps repositories. All text is made up.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	repository := repository{}
	flag.IntVar(&repository.Files, "files", 10_000, "number of files")
	flag.IntVar(&repository.Size, "size", 1500, "size of a file in bytes, on average")
	flag.Uint64Var(&repository.Seed, "seed", 1, "seed of the random numbers")
	flag.BoolVar(&repository.Flat, "flat", false, "all files in one folder")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	written, err := writeAll(flag.Arg(0), repository)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files, %d documents, %d bytes\n", written.files, written.documents, written.bytes)
}

type totals struct{ files, documents, bytes int }

func writeAll(dir string, r repository) (totals, error) {
	var sum totals
	for f := range r.all() {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return sum, err
		}
		if err := os.WriteFile(name, []byte(f.Text), 0o644); err != nil {
			return sum, err
		}
		sum.files++
		sum.documents += f.Documents
		sum.bytes += len(f.Text)
	}
	return sum, nil
}
