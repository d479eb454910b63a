// Package envsubst substitutes the ${variables} of a built object as Flux does, with Flux's own library and limits on the
// cost.
package envsubst

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// LimitError reports that substituting a text could cost too much.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

const (
	// maxText and maxOutput limit the length of a text and of its result. The API server takes no object of more than 3 MiB.
	maxText, maxOutput = 16 << 20, 4 << 20
	// maxDollars limits the dollars in a text: the library's parser uses a stack frame for each.
	maxDollars = 100_000
	// maxOperand and maxOperated limit the length of a value and of a text if parts of values are replaced or cut off,
	// because the library needs quadratic time for that.
	maxOperand, maxOperated = 256, 64 << 10
)

var (
	variableName = lazyregexp.New(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

	// operation is a variable of which a part is replaced or cut off; nested is one that contains a variable.
	operation = lazyregexp.New(`\$\{\w*[/#%]`)
	nested    = lazyregexp.New(`\$\{\w*[/#%][^}]*\$\{`)
)

// Fill substitutes the variables of a text: ${name}, with the defaults and other operations of Flux. $${name} becomes
// ${name}. An undefined variable without a default is empty; undefined lists these, sorted. Line breaks in values are
// removed, as in Flux. The error is a *LimitError, or the error that Flux itself returns.
func Fill(text string, variables map[string]string) (filled string, undefined []string, err error) {
	f := filler{variables: variables, missing: map[string]bool{}, left: maxOutput}
	if err := f.check(text); err != nil {
		return "", nil, err
	}
	filled, err = f.fill(text)
	switch {
	case f.left < 0:
		return "", nil, &LimitError{fmt.Sprintf("substituting the variables returns more than %d MiB", maxOutput>>20)}
	case err != nil:
		return "", nil, err
	}
	return filled, slices.Sorted(maps.Keys(f.missing)), nil
}

type filler struct {
	variables map[string]string
	missing   map[string]bool
	left      int
}

func (f *filler) check(text string) error {
	for _, name := range slices.Sorted(maps.Keys(f.variables)) {
		if !variableName().MatchString(name) {
			return fmt.Errorf("%q is not a valid variable name: use letters, digits, and _", name)
		}
	}
	if strings.Contains(text, "\x00") { // the library stops there
		return errors.New("content with a zero byte is not valid YAML")
	}
	if len(text) > maxText || strings.Count(text, "$") > maxDollars {
		return &LimitError{fmt.Sprintf("the text has more than %d MiB or %d variables", maxText>>20, maxDollars)}
	}
	if !operation().MatchString(text) {
		return nil
	}
	if len(text) > maxOperated || nested().MatchString(text) {
		return &LimitError{fmt.Sprintf("parts of variables are replaced in content of more than %d KiB, or by other variables", maxOperated>>10)}
	}
	for _, value := range f.variables {
		if len(value) > maxOperand {
			return &LimitError{fmt.Sprintf("parts of a variable with more than %d bytes are replaced", maxOperand)}
		}
	}
	return nil
}

func (f *filler) fill(text string) (filled string, err error) {
	defer func() {
		// The library panics on lengths that overflow.
		if recover() != nil {
			filled, err = "", errors.New("bad substitution")
		}
	}()
	return envsubst.Eval(text, func(name string) (string, bool) {
		value, known := f.variables[name]
		if !known {
			f.missing[name] = true
		}
		if f.left -= len(value) + 1; f.left < 0 {
			return "", false
		}
		return strings.ReplaceAll(value, "\n", ""), true
	})
}

// disabled is the label or annotation of objects that Flux does not change.
const disabled = "kustomize.toolkit.fluxcd.io/substitute"

// Object substitutes the variables of a whole object. As in Flux that is done in its text, so that ${replicas} can become a
// number. A changed object is a new one. undefined is as for [Fill].
func Object(object map[string]any, variables map[string]string) (filled map[string]any, undefined []string, err error) {
	if marked(object, "labels") || marked(object, "annotations") {
		return object, nil, nil
	}
	if filled, ok := withWords(object, variables); ok {
		return filled, nil, nil
	}
	return inText(object, variables)
}

// inText substitutes the variables as Flux does.
func inText(object map[string]any, variables map[string]string) (filled map[string]any, undefined []string, err error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	if !strings.Contains(string(data), "$") {
		return object, nil, nil
	}
	text, err := yaml.JSONToYAML(data)
	if err != nil {
		return nil, nil, err
	}
	out, undefined, err := Fill(string(text), variables)
	if err != nil {
		return nil, nil, err
	}
	if err := yaml.Unmarshal([]byte(out), &filled); err != nil {
		return nil, nil, fmt.Errorf("with its variables substituted, the object is not valid YAML: %w", err)
	}
	return filled, undefined, nil
}

func marked(object map[string]any, field string) bool {
	metadata, _ := object["metadata"].(map[string]any)
	marks, _ := metadata[field].(map[string]any)
	return marks[disabled] == "disabled"
}
