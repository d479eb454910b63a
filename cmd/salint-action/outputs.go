package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
)

// output is one value that later steps of the workflow read.
type output struct{ name, value string }

// outputs returns the results of a run, in the order of action.yml.
func outputs(r *result, sarifFile string) []output {
	return []output{
		{"findings", fmt.Sprint(r.left())},
		{"errors", fmt.Sprint(r.Summary.Errors)},
		{"fixable", fmt.Sprint(r.fixable())},
		{"sarif-file", sarifFile},
	}
}

// formatOutputs writes values in the multi-line form of GitHub's environment files. The delimiter is random, so that no
// value can end its block and add other outputs.
func formatOutputs(all []output) string {
	var b strings.Builder
	for _, o := range all {
		delimiter := "salint-" + rand.Text()
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.name, delimiter, o.value, delimiter)
	}
	return b.String()
}

// appendTo appends text to one of the workflow's files. Outside a workflow the file is "" and nothing is written.
func appendTo(file, text string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
