// Command each runs a program once for every folder below a root that has a kustomization, one after the other, as a shell loop
// does, and drops its output:
//
//	go run ./bench/each ROOT PROGRAM [ARGUMENT…]
//
// The folder is added to the arguments. The exit code is 2 if any run fails.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: each ROOT PROGRAM [ARGUMENT…]")
		os.Exit(2)
	}
	if err := each(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "each:", err)
		os.Exit(2)
	}
}

func each(root string, program []string) error {
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "kustomization.yaml" {
			return err
		}
		folder := filepath.Dir(name)
		command := exec.Command(program[0], append(program[1:len(program):len(program)], folder)...)
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", folder, err, out)
		}
		return nil
	})
}
