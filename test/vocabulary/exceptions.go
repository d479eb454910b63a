package main

import (
	"slices"
	"strings"
)

// allowedPhrases contain a phrase of the vocabulary and are right; write is the reason. files limits them to files.
var allowedPhrases = []entry{
	{phrases: []string{"salint . mentions"}, write: "the name of a built-in function, which does not change"},
	{phrases: []string{"texts", "mentions"}, write: "names in the interface of policies, and of a generated file, which do not change", files: []string{"rules/builtins", "rules/gen", "docs/policies.md"}},
	{phrases: []string{"scope|change . texts"}, write: "a field of what built-in functions return, which does not change", files: []string{"rego"}},
	{phrases: []string{"catalogue"}, write: "generated data: another word would be another benchmark", files: []string{"bench/generate"}},
	{phrases: []string{". else echo"}, write: "a command of a script", files: []string{"Makefile"}},
	{phrases: []string{
		"there is|are no *", "is|are no longer|more|less|better|different|later|earlier",
		"who|it|that|which is no longer|more|less|better|different|later|earlier",
	}, write: "\"no\" does not stand for \"not a\""},
}

// skippedFolders are not searched.
var skippedFolders = map[string]string{
	".git":            "not ours",
	"bin":             "built",
	"dist":            "built",
	"fixtures":        "input, and output that is checked where it is made",
	"test/vocabulary": "the words themselves",
}

// skippedFiles are not checked.
var skippedFiles = map[string]string{
	"docs/rules.md": "generated from METADATA, which is checked",
}

func skippedFolder(path string) bool {
	_, skipped := skippedFolders[path]
	return skipped || strings.HasSuffix("/"+path, "/testdata") || strings.HasSuffix("/"+path, "/node_modules")
}

func skippedFile(path string) bool {
	_, skipped := skippedFiles[path]
	return skipped
}

// appliesTo reports whether the entry is looked for in a kind of text of a file.
func (e entry) appliesTo(file string, k kind) bool {
	if len(e.kinds) > 0 && !slices.Contains(e.kinds, k) {
		return false
	}
	return len(e.files) == 0 || slices.ContainsFunc(e.files, func(prefix string) bool { return strings.HasPrefix(file, prefix) })
}
