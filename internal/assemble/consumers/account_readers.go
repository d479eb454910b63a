package consumers

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
)

var (
	// accountField matches the field of an extension for its account, in an argument of a command.
	accountField = lazyregexp.New(`(?:^|[^\w-])serviceAccount(?:$|[^\w-])`)
	// accountOfProgram matches an access to the field in a program.
	accountOfProgram = lazyregexp.New(`\.serviceAccount\b|\[\s*["']serviceAccount["']\s*\]|\b(?:get|dig|fetch)\(\s*["']serviceAccount["']`)
	// asksOnly matches the flags with which grep says whether, or where, a text has a word.
	asksOnly = lazyregexp.New(`^(?:-[A-Za-z]*[qlLcrR][A-Za-z]*|--(?:quiet|silent|count|recursive|files-with-matches|files-without-match))$`)
)

// fieldPrinters are the programs that print fields or lines of files. Others, such as a linter, do not use what they read.
var fieldPrinters = []string{"yq", "jq", "gojq", "grep", "egrep", "sed", "awk", "gawk", "kubectl", "oc", "dasel", "python", "python3", "ruby", "perl"}

// accountReader adds the files from which a command reads the account of an extension for something else: without the field, it gets nothing. What is
// only printed is looked at by a person, or checked.
func (x *Index) accountReader(file string, c *commands.Command) {
	isField := func(a string) bool { return accountField().MatchString(a) }
	if !slices.Contains(fieldPrinters, c.Name) || !c.IsUsed() || !slices.ContainsFunc(c.Args, isField) || slices.ContainsFunc(c.Args, asksOnly().MatchString) {
		return
	}
	sources, _ := sourcesOf(c)
	consumer := at(file, c.Line, c.Name)
	consumer.Reads = true
	x.addReader(consumer, pathsOf(c, file, slices.Concat(sources, slices.DeleteFunc(c.Positionals(), isField), c.Flag("f", "filename"))))
}

// accountProgram adds the files that a program names, if it reads the account of an extension.
func (x *Index) accountProgram(file string, data []byte) {
	if !accountOfProgram().Match(data) {
		return
	}
	text := withoutComments(data)
	if !accountOfProgram().MatchString(text) {
		return
	}
	for _, m := range stringOfProgram().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if !pathLike().MatchString(name) || !strings.Contains(name, ".") {
			continue
		}
		consumer := at(file, 1+strings.Count(text[:m[2]], "\n"), path.Base(file))
		consumer.Reads = true
		x.addReader(consumer, []string{path.Join(path.Dir(file), name), path.Clean(name)})
	}
}

// addReader adds a reader of files, which are no folders.
func (x *Index) addReader(c Consumer, paths []string) {
	for _, p := range paths {
		for _, found := range x.matching(p) {
			if _, known := x.inputs[found]; !known && x.from.Paths.HasFile(found) {
				c.Input = found
				x.inputs[found] = c
			}
		}
	}
}
