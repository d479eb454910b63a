package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
)

// output is one value that later steps of the workflow read.
type output struct{ name, value string }

// outputs are the results of a run, in the order of action.yml.
func outputs(r *result, sarifFile string) []output {
	return []output{
		{"findings", fmt.Sprint(r.left())},
		{"errors", fmt.Sprint(r.Summary.Errors)},
		{"fixable", fmt.Sprint(r.fixable())},
		{"sarif-file", sarifFile},
	}
}

// formatOutputs writes values in the multi-line form of GitHub's environment files. The delimiter is drawn at random,
// so that no value can end its own block and add outputs of its own.
func formatOutputs(all []output) string {
	var b strings.Builder
	for _, o := range all {
		delimiter := "salint-" + rand.Text()
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.name, delimiter, o.value, delimiter)
	}
	return b.String()
}

// appendTo adds text to one of the workflow's files. Outside a workflow there is no such file, and nothing to do.
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
