package template

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Engine fills in strings with the settings of an ApplicationSet.
type Engine struct {
	// Go is spec.goTemplate: Go's text/template with functions. Without it, {{name}} stands for a parameter.
	Go bool
	// Options are spec.goTemplateOptions, such as missingkey=error.
	Options []string
	// Budget limits the work of all texts that share it; nil is a new one for each text.
	Budget *Budget
}

// LimitError reports that filling in a text costs too much.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// UnsupportedError reports that a text requires something that Argo CD does and salint does not.
type UnsupportedError struct{ Message string }

func (e *UnsupportedError) Error() string { return e.Message }

// IsOwn reports whether an error is one of salint, and not one that Argo CD has as well.
func IsOwn(err error) bool {
	var limit *LimitError
	var unsupported *UnsupportedError
	return errors.As(err, &limit) || errors.As(err, &unsupported)
}

const (
	// maxText limits the length of a text, and maxValue the size of its result and of all values in between.
	maxText  = 64 << 10
	maxValue = 1 << 20

	openTag, closeTag = "{{", "}}"
)

// Fill returns the text with its parameters filled in. The error is a *LimitError, an *UnsupportedError, or the error that
// Argo CD itself returns.
func (e Engine) Fill(text string, params map[string]any) (string, error) {
	if !strings.Contains(text, openTag) {
		return text, nil // neither language has other tags
	}
	if len(text) > maxText {
		return "", &LimitError{fmt.Sprintf("the template is longer than %d KiB", maxText>>10)}
	}
	if e.Budget == nil {
		e.Budget = NewBudget()
	}
	if e.Go {
		return e.fillGo(text, params)
	}
	return fillTags(text, params, e.Budget)
}

// FillAll fills in every string of a value, and the keys of its mappings.
func (e Engine) FillAll(value any, params map[string]any) (any, error) {
	switch value := value.(type) {
	case string:
		return e.Fill(value, params)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			var err error
			if out[i], err = e.FillAll(item, params); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			child, err := e.FillAll(value[key], params)
			if err != nil {
				return nil, err
			}
			if key, err = e.Fill(key, params); err != nil {
				return nil, err
			}
			out[key] = child
		}
		return out, nil
	}
	return value, nil
}

// fillTags replaces {{name}} by the parameter of that name. As in Argo CD, a tag stays if it has no string parameter, and a
// text stays if none of its lines has a complete tag (applicationset/utils, Render.Replace).
func fillTags(text string, params map[string]any, budget *Budget) (string, error) {
	if !hasTag(text) {
		return text, nil
	}
	var filled strings.Builder
	for {
		before, rest, found := strings.Cut(text, openTag)
		filled.WriteString(before)
		if !found {
			return filled.String(), nil
		}
		tag, after, closed := strings.Cut(rest, closeTag)
		if !closed {
			return "", errors.New("a {{ is not closed by }}")
		}
		value, isText := params[strings.TrimSpace(tag)].(string)
		if !isText || strings.TrimSpace(tag) == "" {
			value = openTag + tag + closeTag
		}
		filled.WriteString(value)
		if err := budget.spend(len(value) + 1); err != nil {
			return "", err
		}
		if filled.Len() > maxValue {
			return "", tooLarge()
		}
		text = after
	}
}

func hasTag(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if i := strings.Index(line, openTag); i >= 0 && strings.Contains(line[i+len(openTag):], closeTag) {
			return true
		}
	}
	return false
}

// HasTag reports whether a text contains a tag that was not filled in.
func HasTag(text string) bool { return hasTag(text) }

func tooLarge() error {
	return &LimitError{fmt.Sprintf("filling in the template returns more than %d MiB", maxValue>>20)}
}
