// Package envsubst fills in the ${variables} of a built object as Flux does, with its own library, within limits.
package envsubst

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
	"sigs.k8s.io/yaml"
)

// LimitError says that a text was given up because filling it in could cost too much.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

const (
	// maxText is how long a text may be, and maxOutput how long it may become.
	maxText, maxOutput = 16 << 20, 64 << 20
	// maxDollars is how many dollars a text may have: the library's parser takes a stack frame for each.
	maxDollars = 100_000
	// maxOperand and maxOperated are how long a value, and a text, may be where parts of values are replaced or cut off,
	// which takes the library the square of it.
	maxOperand, maxOperated = 256, 64 << 10
)

var (
	variableName = regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

	// operation is a variable of which a part is replaced or cut off, and nested one with a variable inside.
	operation = regexp.MustCompile(`\$\{\w*[/#%]`)
	nested    = regexp.MustCompile(`\$\{\w*[/#%][^}]*\$\{`)
)

// Fill replaces the variables of a text: ${name}, with the defaults and other operations that Flux knows, and $${name},
// which stays as ${name}. A variable that is not defined is empty, unless it has a default; undefined lists those, sorted.
// Values lose their line breaks, as in Flux. The error is a *LimitError, or what Flux itself would refuse the text for.
func Fill(text string, variables map[string]string) (filled string, undefined []string, err error) {
	f := filler{variables: variables, missing: map[string]bool{}, left: maxOutput}
	if err := f.check(text); err != nil {
		return "", nil, err
	}
	filled, err = f.fill(text)
	switch {
	case f.left < 0:
		return "", nil, &LimitError{fmt.Sprintf("filling in the variables gives more than %d MiB", maxOutput>>20)}
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
		if !variableName.MatchString(name) {
			return fmt.Errorf("%q is no name of a variable: letters, digits and _ make one", name)
		}
	}
	if strings.Contains(text, "\x00") { // for the library it ends there
		return errors.New("a text with a zero byte is no YAML")
	}
	if len(text) > maxText || strings.Count(text, "$") > maxDollars {
		return &LimitError{fmt.Sprintf("the text has more than %d MiB or %d variables", maxText>>20, maxDollars)}
	}
	if !operation.MatchString(text) {
		return nil
	}
	if len(text) > maxOperated || nested.MatchString(text) {
		return &LimitError{fmt.Sprintf("parts of variables are replaced in a text of more than %d KiB, or by variables again", maxOperated>>10)}
	}
	for _, value := range f.variables {
		if len(value) > maxOperand {
			return &LimitError{fmt.Sprintf("parts of variables are replaced where one has more than %d bytes", maxOperand)}
		}
	}
	return nil
}

func (f *filler) fill(text string) (filled string, err error) {
	defer func() {
		// The library panics over lengths that no number holds.
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

// disabled marks an object, as label or annotation, that Flux leaves as it is.
const disabled = "kustomize.toolkit.fluxcd.io/substitute"

// Object fills in the variables of a whole object. As in Flux that is done in its text, so that ${replicas} may become a
// number; a changed object is a new one. Undefined is as for Fill.
func Object(object map[string]any, variables map[string]string) (filled map[string]any, undefined []string, err error) {
	if marked(object, "labels") || marked(object, "annotations") {
		return object, nil, nil
	}
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
		return nil, nil, fmt.Errorf("with its variables filled in, the object is no YAML: %w", err)
	}
	return filled, undefined, nil
}

func marked(object map[string]any, field string) bool {
	metadata, _ := object["metadata"].(map[string]any)
	marks, _ := metadata[field].(map[string]any)
	return marks[disabled] == "disabled"
}
