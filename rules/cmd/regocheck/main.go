// Command regocheck parses, strictly checks, and tests a folder of policies with salint's built-in functions declared:
//
//	go run ./rules/cmd/regocheck [DIR]    (default rego)
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/salint/salint/rules"
)

func main() {
	dir := "rego"
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	report, err := rules.TestBuiltin(context.Background(), os.DirFS(dir))
	if err == nil {
		err = report.Write(os.Stdout, "text", false)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if report.Failures() > 0 {
		os.Exit(1)
	}
}
