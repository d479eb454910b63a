package consumers

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

var (
	// joinedPaths matches a call of a program that joins texts to a path.
	joinedPaths = lazyregexp.New("\\b(?:[Jj]oin|resolve)\\(\\s*(?:__dirname\\s*,\\s*)?(?:[\"'`][^\"'`\\n]+[\"'`]\\s*,\\s*)+[\"'`][^\"'`\\n]+[\"'`]\\s*\\)")
	// embedding matches the directive of Go that puts files into a program.
	embedding = lazyregexp.New(`(?m)^//go:embed[ \t]+(.+)$`)

	terraformLocal   = lazyregexp.New(`(?m)^\s*(\w+)\s*=\s*"([^"\n]*)"\s*\}?\s*$`)
	terraformLocals  = lazyregexp.New(`(?s)\blocals\s*\{([^\n]+\})|\blocals\s*\{(.*?)\n\}`)
	terraformDefault = lazyregexp.New(`\bvariable\s+"(\w+)"\s*\{[^{}]*?\bdefault\s*=\s*"([^"\n]*)"`)
	terraformName    = lazyregexp.New(`\$\{\s*(local|var)\.(\w+)\s*\}|\b(local|var)\.(\w+)\b`)
	absolutePath     = lazyregexp.New(`\b(?:abspath|pathexpand)\(\s*("[^"\n]*")\s*\)`)
	joinedList       = lazyregexp.New(`\bjoin\(\s*"/"\s*,\s*\[([^\]\n]*)\]\s*\)`)
)

// joinPath returns the path that a call joins, as a text of the program.
func joinPath(call string) string {
	var parts []string
	for _, m := range stringOfProgram().FindAllStringSubmatch(call, -1) {
		parts = append(parts, m[1])
	}
	return `"` + path.Join(parts...) + `"`
}

// embedded adds the files that a program in Go contains.
func (x *Index) embedded(file string, data []byte) {
	for _, m := range embedding().FindAllSubmatchIndex(data, -1) {
		line := 1 + strings.Count(string(data[:m[0]]), "\n")
		for name := range strings.FieldsSeq(string(data[m[2]:m[3]])) {
			name = strings.TrimPrefix(strings.Trim(name, "\"`"), "all:")
			x.addFiles(at(file, line, "a program in Go"), []string{path.Join(path.Dir(file), name)})
		}
	}
}

// evaluated returns a text of Terraform with the names of locals and variables as their texts, which any file of the module can set, and
// with the paths that functions make of them. Its lines stay. Only names with a prefix are known.
func (x *Index) evaluated(dir, text, prefix string) string {
	if strings.Contains(text, "local.") || strings.Contains(text, "var.") {
		values := x.moduleValues(dir)
		text = terraformName().ReplaceAllStringFunc(text, func(name string) string {
			inner := strings.Trim(name, "${} ")
			value, known := values[inner]
			switch {
			case !known || !strings.HasPrefix(inner, prefix):
				return name
			case strings.HasPrefix(name, "$"):
				return value
			}
			return `"` + value + `"`
		})
	}
	text = joinedList().ReplaceAllStringFunc(text, func(call string) string {
		var parts []string
		for item := range strings.SplitSeq(joinedList().FindStringSubmatch(call)[1], ",") {
			item = strings.TrimSpace(item)
			if quoted := strings.Trim(item, `"`); quoted != item {
				parts = append(parts, quoted)
			} else {
				parts = append(parts, "${"+item+"}")
			}
		}
		return `"` + strings.Join(parts, "/") + `"`
	})
	return absolutePath().ReplaceAllString(text, "$1")
}

// moduleValues returns the texts of the locals and the defaults of the variables of a module, by their names.
func (x *Index) moduleValues(dir string) map[string]string {
	if known, is := x.modules[dir]; is {
		return known
	}
	values := map[string]string{}
	for _, file := range x.from.Texts {
		if path.Dir(file) != dir || path.Ext(file) != ".tf" && path.Ext(file) != ".tofu" && path.Ext(file) != ".hcl" {
			continue
		}
		text := withoutComments(x.from.Read(file))
		for _, block := range terraformLocals().FindAllStringSubmatch(text, -1) {
			for _, m := range terraformLocal().FindAllStringSubmatch(block[1]+block[2], -1) {
				values["local."+m[1]] = m[2]
			}
		}
		for _, m := range terraformDefault().FindAllStringSubmatch(text, -1) {
			values["var."+m[1]] = m[2]
		}
	}
	x.modules[dir] = values
	return values
}
