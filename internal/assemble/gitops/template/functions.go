package template

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// allowed are sprig's deterministic functions without side effects. Argo CD has all of them, except env, expandenv and
// getHostByName.
var allowed = strings.Fields(`
	abbrev trunc trim upper lower title untitle substr repeat trimall trimAll trimSuffix trimPrefix nospace initials
	swapcase snakecase camelcase kebabcase wrap wrapWith contains hasPrefix hasSuffix quote squote cat indent nindent
	replace plural sha1sum sha256sum sha512sum adler32sum toString
	atoi int64 int float64 seq toDecimal split splitList splitn toStrings until untilStep
	add1 add sub div mod mul biggest max min maxf minf ceil floor round join sortAlpha
	default empty coalesce all any compact mustCompact fromJson toJson toPrettyJson toRawJson mustFromJson mustToJson
	mustToPrettyJson mustToRawJson ternary deepCopy mustDeepCopy
	typeOf typeIs typeIsLike kindOf kindIs deepEqual
	base dir clean ext isAbs b64enc b64dec b32enc b32dec
	tuple list dict get hasKey pluck pick omit
	append push mustAppend mustPush prepend mustPrepend first mustFirst rest mustRest last mustLast initial mustInitial
	reverse mustReverse uniq mustUniq without mustWithout has mustHas slice mustSlice concat dig
	semver semverCompare fail
	regexMatch mustRegexMatch regexFindAll mustRegexFindAll regexFind mustRegexFind regexReplaceAll mustRegexReplaceAll
	regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit regexQuoteMeta
	urlParse urlJoin`)

// multiplying are the functions whose result can be as large as the product of their arguments.
var multiplying = map[string]bool{
	"repeat": true, "indent": true, "nindent": true, "replace": true, "join": true, "wrap": true, "wrapWith": true,
	"until": true, "untilStep": true, "seq": true, "without": true, "mustWithout": true, "uniq": true, "mustUniq": true,
	"regexReplaceAll": true, "mustRegexReplaceAll": true,
	"regexReplaceAllLiteral": true, "mustRegexReplaceAllLiteral": true, "toPrettyJson": true, "mustToPrettyJson": true,
}

// refused are functions of Argo CD that depend on random numbers, on the time, or on the order in which the fields of an
// Application are filled in, or that take too long.
var refused = sync.OnceValue(func() []string {
	names := []string{"slugify"}
	for name := range sprig.GenericFuncMap() {
		if !slices.Contains(allowed, name) && !slices.Contains([]string{"env", "expandenv", "getHostByName", "keys"}, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
})

// functions are those that templates can call, by name, without limits.
var functions = sync.OnceValue(func() template.FuncMap {
	all := sprig.GenericFuncMap()
	functions := template.FuncMap{}
	for _, name := range allowed {
		functions[name] = all[name]
	}
	maps.Copy(functions, template.FuncMap{
		"keys":      sortedKeys,
		"normalize": Normalize,
		"toYaml":    toYAML, "fromYaml": fromYAML, "fromYamlArray": fromYAMLArray,
		// Those of text/template itself whose results grow.
		"print": fmt.Sprint, "println": fmt.Sprintln, "printf": printf,
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
	})
	return functions
})

// bounded returns the functions, each of which charges a budget.
func bounded(budget *Budget) template.FuncMap {
	functions := functions()
	wrapped := make(template.FuncMap, len(functions)+1)
	for name, function := range functions {
		wrapped[name] = budget.bounded(name, reflect.ValueOf(function))
	}
	for _, name := range refused() {
		wrapped[name] = func(...any) (string, error) {
			return "", &UnsupportedError{fmt.Sprintf("salint does not support the function %s", name)}
		}
	}
	wrapped[stepFunction] = func() (string, error) { return "", budget.step() }
	return wrapped
}

// bounded returns a function of the same type that charges the budget for its arguments and its results. text/template
// turns the panic into an error.
func (b *Budget) bounded(name string, function reflect.Value) any {
	measured := func(values []reflect.Value) (product int) {
		product = 1
		for _, value := range values {
			size, ok := measure(value)
			if !ok {
				panic(tooLarge())
			}
			if err := b.spend(size); err != nil {
				panic(err)
			}
			product = min(maxValue+1, product*max(1, weight(value, size)))
		}
		return product
	}
	return reflect.MakeFunc(function.Type(), func(args []reflect.Value) []reflect.Value {
		if err := b.step(); err != nil {
			panic(err)
		}
		if product := measured(args); product > maxValue && multiplying[name] {
			panic(tooLarge())
		}
		call := function.Call
		if function.Type().IsVariadic() {
			call = function.CallSlice
		}
		results := call(args)
		measured(results)
		return results
	}).Interface()
}

// weight returns how much an argument can multiply others: a number by its value, everything else by its size.
func weight(value reflect.Value, size int) int {
	for value.Kind() == reflect.Interface && !value.IsNil() {
		value = value.Elem()
	}
	switch {
	case value.CanInt():
		number := value.Int()
		return int(min(maxValue+1, max(number, -number, 0)))
	case value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Int:
		largest := 0
		for i := range value.Len() {
			largest = max(largest, weight(value.Index(i), size))
		}
		return largest
	}
	return size
}

// wideVerb is a verb of printf with a width of more than 999, or with one from an argument.
var wideVerb = lazyregexp.New(`%[^a-zA-Z%]*([0-9]{4}|\*)`)

func printf(format string, args ...any) (string, error) {
	if wideVerb().MatchString(format) {
		return "", &UnsupportedError{"salint does not support printf with such a width"}
	}
	return fmt.Sprintf(format, args...), nil
}

// sortedKeys is sprig's keys with sorted results.
func sortedKeys(dicts ...map[string]any) []string {
	keys := []string{}
	for _, dict := range dicts {
		keys = append(keys, slices.Sorted(maps.Keys(dict))...)
	}
	return keys
}

var notInName = lazyregexp.New(`[^-a-z0-9.]`)

const maxName = 253

// Normalize returns a valid Kubernetes name, as Argo CD's normalize and its parameters ending in Normalized do.
func Normalize(name string) string {
	name = notInName().ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(name[:min(len(name), maxName)], "-.")
}

func toYAML(value any) (string, error) {
	data, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(data), "\n"), err
}

func fromYAML(text string) (map[string]any, error) {
	value := map[string]any{}
	err := yaml.Unmarshal([]byte(text), &value)
	return value, err
}

func fromYAMLArray(text string) ([]any, error) {
	value := []any{}
	err := yaml.Unmarshal([]byte(text), &value)
	return value, err
}
