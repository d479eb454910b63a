package fixes

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// The forms that the API server requires of keys and values.
var (
	name       = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	labelValue = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$`)
	domain     = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)
)

// checkArgument returns what an argument must be; "" if it is that.
func checkArgument(fixer, argument string, value any) (problem string) {
	text, isText := value.(string)
	switch {
	case argument == "value" && !isExact(value):
		return "a value without numbers that have more digits than 64 bits can hold"
	case argument == "key" && !(isText && isKey(text)):
		return "a key, such as example.org/owner"
	case argument == "value" && fixer == "set-label" && !(isText && labelValue.MatchString(text)):
		return "a label value such as team-1"
	case argument == "value" && fixer == "set-annotation" && !isText:
		return "a string"
	case argument == "path" && !isPath(value):
		return `a list of keys and indexes, as in ["spec", "paused"]`
	}
	return ""
}

func isKey(key string) bool {
	before, after, prefixed := strings.Cut(key, "/")
	if !prefixed {
		return name.MatchString(key)
	}
	return domain.MatchString(before) && name.MatchString(after)
}

func isPath(value any) bool {
	list, is := value.([]any)
	for _, step := range list {
		switch step := step.(type) {
		case string:
			is = is && step != ""
		case int64:
			is = is && step >= 0
		default:
			return false
		}
	}
	return is && len(list) > 0
}

// isExact reports whether Plain could represent all numbers of a value.
func isExact(value any) bool {
	switch value := value.(type) {
	case json.Number:
		return false
	case float64: // what YAML reads for more digits
		return math.Abs(value) < 1<<63
	case []any:
		return !slices.ContainsFunc(value, func(item any) bool { return !isExact(item) })
	case map[string]any:
		return !slices.ContainsFunc(slices.Collect(maps.Values(value)), func(item any) bool { return !isExact(item) })
	}
	return true
}

// Plain returns a value of JSON or YAML in which whole numbers are int64, so that values can be compared. A whole number that is too large
// for that stays as it is.
func Plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		f, err := value.Float64()
		if err != nil || strings.Trim(value.String(), "-0123456789") == "" {
			return value
		}
		return f
	case int:
		return int64(value)
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
			return int64(value)
		}
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = Plain(value[i])
		}
		return list
	case map[string]any:
		fields := make(map[string]any, len(value))
		for key := range value {
			fields[key] = Plain(value[key])
		}
		return fields
	}
	return value
}
