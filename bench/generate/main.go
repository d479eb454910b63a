// Command generate writes a repository of manifests to measure tools on:
//
//	go run ./bench/generate [-files 10000] [-size 1500] [-seed 1] [-flat] DIR
//	go run ./bench/generate -bindings 3000 [-identities 1000] [-roles 500] [-seed 1] DIR
//	go run ./bench/generate [-overlays 200] [-charts 100] DIR
//	go run ./bench/generate [-operators 160] [-definitions 30] DIR
//	go run ./bench/generate -applications 100 DIR
//	go run ./bench/generate -extensions 1000 [-one-file] [-clusters 100] [-subjects 500] [-others 30000] DIR
//	go run ./bench/generate -reports 300 [-findings 50000] DIR
//
// The same flags give the same bytes. One file in a hundred concerns ClusterExtensions and their accounts; the others
// are typical of GitOps repositories. All names are invented.
package main

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
)

func main() {
	repository := repository{}
	flag.IntVar(&repository.Files, "files", 10_000, "number of files")
	flag.IntVar(&repository.Size, "size", 1500, "size of a file in bytes, on average")
	flag.Uint64Var(&repository.Seed, "seed", 1, "seed of the random numbers")
	flag.BoolVar(&repository.Flat, "flat", false, "all files in one folder")
	unit := access{}
	flag.IntVar(&unit.Bindings, "bindings", 0, "number of bindings of a unit with nothing but RBAC; 0 writes no such unit")
	flag.IntVar(&unit.Identities, "identities", 1000, "with -bindings: number of accounts")
	flag.IntVar(&unit.Roles, "roles", 500, "with -bindings: number of roles")
	applied := gitops{}
	flag.IntVar(&applied.Overlays, "overlays", 0, "number of overlays over one base; nothing else is written then, but for -charts")
	flag.IntVar(&applied.Charts, "charts", 0, "number of charts; nothing else is written then, but for -overlays")
	migrated := migration{}
	flag.IntVar(&migrated.Extensions, "extensions", 0, "number of extensions to migrate; 0 writes no such repository")
	flag.BoolVar(&migrated.InOneFile, "one-file", false, "with -extensions: all extensions in one file")
	flag.IntVar(&migrated.Clusters, "clusters", 0, "with -extensions: number of overlays over a base with all of them")
	flag.IntVar(&migrated.Subjects, "subjects", 0, "with -extensions: number of refused subjects of one more binding")
	flag.IntVar(&migrated.Others, "others", 0, "with -extensions: number of other documents, in one more file")
	shared := catalog{}
	flag.IntVar(&shared.Operators, "operators", 0, "number of operators in a catalog of kustomizations without an extension")
	flag.IntVar(&shared.Definitions, "definitions", 0, "number of large definitions of one operator")
	managed := cluster{}
	flag.IntVar(&managed.Applications, "applications", 0, "number of applications of a cluster that Flux manages; 0 writes no such repository")
	fleet := reports{}
	flag.IntVar(&fleet.Repositories, "reports", 0, "number of JSON reports of a fleet of repositories, instead of manifests")
	flag.IntVar(&fleet.Findings, "findings", 50_000, "with -reports: number of findings of all of them")
	flag.Parse()
	files := repository.all()
	switch {
	case unit.Bindings > 0:
		unit.Seed = repository.Seed
		files = unit.all()
	case fleet.Repositories > 0:
		fleet.Seed = repository.Seed
		files = fleet.all()
	case migrated.Extensions > 0:
		files = migrated.all()
	case managed.Applications > 0:
		files = managed.all()
	case shared != catalog{}:
		files = shared.all()
	case applied != gitops{}:
		files = applied.all()
	}
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	written, err := writeAll(flag.Arg(0), files)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files, %d documents, %d bytes\n", written.files, written.documents, written.bytes)
}

type totals struct{ files, documents, bytes int }

func writeAll(dir string, files iter.Seq[file]) (totals, error) {
	var sum totals
	for f := range files {
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
