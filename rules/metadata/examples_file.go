package metadata

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// examplesSuffix ends the name of the file with the examples of a rule, which is beside its policy: a.rego has
// a_examples.txtar.
const examplesSuffix = "_examples.txtar"

// sectionHeading is a line `-- NAME --` of a txtar archive.
var sectionHeading = lazyregexp.New(`^-- (.*) --$`)

// exampleHeading is the name of a section that begins an example: `bad`, `good (olm-1.11)`, or `bad (synthetic): a caption`.
var exampleHeading = lazyregexp.New(`^(bad|good)(?: \(([^()]*)\))?(?:: (.*))?$`)

// section is a part of a txtar archive, without blank lines at its end.
type section struct {
	name, text string
	line       int // of the heading
}

// readExamplesFile returns the name and content of the file with the examples of a policy; both are empty if there is none.
func readExamplesFile(root fs.FS, rule string) (name string, source []byte, err error) {
	name = strings.TrimSuffix(rule, path.Ext(rule)) + examplesSuffix
	source, err = readPolicy(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	return name, source, err
}

// parseExamples reads the sections of a file of examples: `-- bad --` and `-- good --` begin an example with its manifests,
// and `-- bundle --`, `-- base --`, `-- with --`, its parameters, and the paths of files belong to the example above. Errors name file and
// line.
func parseExamples(file string, source []byte) ([]Example, error) {
	var out []Example
	for _, s := range sections(source) {
		if m := exampleHeading().FindStringSubmatch(s.name); m != nil {
			out = append(out, Example{Bad: m[1] == "bad", Text: s.text, Target: m[2], Why: m[3]})
			continue
		}
		if len(out) > 0 && s.name == "with" && out[len(out)-1].With == nil {
			if err := yaml.Unmarshal([]byte(s.text), &out[len(out)-1].With); err != nil {
				return nil, fmt.Errorf("%s:%d: section %q: %w", file, s.line, s.name, err)
			}
			continue
		}
		if len(out) > 0 && isExampleFile(s.name) && out[len(out)-1].addFile(s.name, s.text) {
			continue
		}
		field := exampleField(out, s.name)
		if field == nil || *field != "" {
			return nil, fmt.Errorf("%s:%d: section %q: write `bad`, `good`, `bad (TARGET): CAPTION`, or below one of them `bundle`, `base`, `with`, or the path of a file",
				file, s.line, s.name)
		}
		*field = s.text
	}
	return out, nil
}

// addFile adds a file to an example; false if it has the file already.
func (e *Example) addFile(name, text string) bool {
	if e.Files == nil {
		e.Files = map[string]string{}
	}
	if _, taken := e.Files[name]; taken {
		return false
	}
	e.Files[name] = text
	return true
}

// exampleField returns the field of the last example that a section of this name fills, nil if there is none.
func exampleField(examples []Example, name string) *string {
	if len(examples) == 0 {
		return nil
	}
	last := &examples[len(examples)-1]
	switch name {
	case "bundle":
		return &last.Bundle
	case "base":
		return &last.Base
	}
	return nil
}

// sections splits a txtar archive. The text above the first heading is a comment.
func sections(source []byte) []section {
	var list []section
	for i, line := range strings.Split(strings.ReplaceAll(string(source), "\r\n", "\n"), "\n") {
		if m := sectionHeading().FindStringSubmatch(line); m != nil {
			list = append(list, section{name: m[1], line: i + 1})
		} else if len(list) > 0 {
			list[len(list)-1].text += line + "\n"
		}
	}
	for i := range list {
		list[i].text = strings.TrimRight(list[i].text, "\n") + "\n"
	}
	return list
}
