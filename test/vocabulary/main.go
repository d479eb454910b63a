// Command vocabulary searches what a person reads (messages, help, METADATA, documentation, comments) for words that
// this project does not use, and prints each with its replacement:
//
//	docs/charts.md:12:8: "mend": write "fix"
//
// Run it from the root of the repository, with files or folders to limit the search: go run ./test/vocabulary docs rego.
// With -count it prints the number of hits per folder.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit code: 0 without hits, 1 with hits, 2 for errors.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("vocabulary", flag.ContinueOnError)
	flags.SetOutput(stderr)
	count := flags.Bool("count", false, "print the number of hits per folder")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	roots := flags.Args()
	if len(roots) == 0 {
		roots = []string{"."}
	}
	hits, err := search(roots)
	if err != nil {
		fmt.Fprintln(stderr, "vocabulary:", err)
		return 2
	}
	if *count {
		printCounts(stdout, hits)
	} else {
		for _, h := range hits {
			fmt.Fprintf(stdout, "%s:%s: %q: write %q\n", h.file, h.place(), h.words, h.write)
		}
	}
	if len(hits) > 0 {
		fmt.Fprintf(stderr, "vocabulary: %d hits\n", len(hits))
		return 1
	}
	return 0
}

// search returns the hits in all files below the roots that a person reads.
func search(roots []string) ([]hit, error) {
	phrases := compile(vocabulary)
	allowed := compile(allowedPhrases)
	var hits []hit
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			path = filepath.ToSlash(filepath.Clean(path))
			if entry.IsDir() {
				if skippedFolder(path) {
					return filepath.SkipDir
				}
				return nil
			}
			split := splitter(path)
			if split == nil {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, part := range split(data) {
				hits = append(hits, find(path, data, part, phrases, allowed)...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return hits, nil
}

func printCounts(w io.Writer, hits []hit) {
	counts := map[string]int{}
	for _, h := range hits {
		counts[filepath.ToSlash(filepath.Dir(h.file))]++
	}
	for _, folder := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "%6d %s\n", counts[folder], folder)
	}
}
