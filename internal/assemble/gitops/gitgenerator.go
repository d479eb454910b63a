package gitops

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/template"
)

// git returns a set of parameters for every matching folder, or for every mapping in the matching files.
func (g *generator) git(v view) ([]params, error) {
	repository := g.judge.of(v.get("repoURL").text())
	switch {
	case repository.Is == OtherRepository:
		return nil, refuse(repository.URL.Location, "it reads %s, which is not this repository: %s", shown(repository.URL.Value), repository.Why)
	case !g.files.known():
		return nil, refuse(v.at(), "the files of the repository are unknown")
	}
	if directories := v.get("directories"); len(directories.items()) > 0 {
		return g.directories(v, directories.items())
	}
	if files := v.get("files"); len(files.items()) > 0 {
		return g.fileSets(v, files.items())
	}
	return nil, refuse(v.at(), "it has neither directories nor files")
}

// directories matches folders, except hidden ones and those in hidden ones. As in Argo CD, * does not match slashes.
func (g *generator) directories(v view, items []view) ([]params, error) {
	if err := g.budget.Spend(len(g.files.shown) * len(items)); err != nil {
		return nil, refuse(v.at(), "%v", err)
	}
	var sets []params
	for _, dir := range g.files.shown {
		included := false
		for _, item := range items {
			matches, _ := path.Match(item.get("path").string(), dir) // an invalid pattern matches nothing
			if matches && item.get("exclude").bool().Value {
				included = false
				break
			}
			included = included || matches
		}
		if !included {
			continue
		}
		set, err := g.withValues(v, g.pathParams(v, dir, ""))
		if err != nil {
			return nil, err
		}
		if sets = append(sets, set); len(sets) > maxSets {
			return nil, refuse(v.at(), "more than %d folders match", maxSets)
		}
	}
	return sets, nil
}

// pathParams returns the parameters about a folder, and about a file in it unless that is "".
func (g *generator) pathParams(v view, dir, file string) params {
	prefix := v.get("pathParamPrefix").string()
	names := map[string]string{"basename": path.Base(dir), "basenameNormalized": template.Normalize(path.Base(dir))}
	if file != "" {
		names["filename"], names["filenameNormalized"] = file, template.Normalize(file)
	}
	segments := strings.Split(dir, "/")
	if g.engine.Go {
		inner := params{"path": dir, "segments": segments}
		for name, value := range names {
			inner[name] = value
		}
		if prefix != "" {
			return params{prefix: params{"path": inner}}
		}
		return params{"path": inner}
	}
	key := "path"
	if prefix != "" {
		key = prefix + ".path"
	}
	set := params{key: dir}
	for name, value := range names {
		set[key+"."+name] = value
	}
	for i, segment := range segments {
		if segment != "" {
			set[key+"["+strconv.Itoa(i)+"]"] = segment
		}
	}
	return set
}

// withValues adds the `values` of the generator, filled in with its own parameters.
func (g *generator) withValues(v view, set params) (params, error) {
	filledIn := map[string]string{}
	for _, entry := range v.get("values").entries() {
		text, err := g.engine.Fill(entry.Value.Value, set)
		if err != nil {
			return nil, refuse(entry.Value.Location, "%v", err)
		}
		filledIn[entry.Key] = text
	}
	for key, text := range filledIn {
		if !g.engine.Go {
			set["values."+key] = text
		}
	}
	if g.engine.Go && len(filledIn) > 0 {
		set["values"] = filledIn
	}
	return set, nil
}

// fileSets reads the files that match a pattern and no exclusion, sorted by name.
func (g *generator) fileSets(v view, items []view) ([]params, error) {
	names, err := g.matching(v, items)
	if err != nil {
		return nil, err
	}
	var sets []params
	for _, name := range names {
		found, err := g.fromFile(v, name)
		if err != nil {
			return nil, err
		}
		if sets = append(sets, found...); len(sets) > maxSets {
			return nil, refuse(v.at(), "the files contain more than %d sets of parameters", maxSets)
		}
	}
	return sets, nil
}

func (g *generator) matching(v view, items []view) ([]string, error) {
	if err := g.budget.Spend(len(g.files.Files()) * len(items)); err != nil {
		return nil, refuse(v.at(), "%v", err)
	}
	var include, exclude []func(string) bool
	for _, item := range items {
		match := pathspec(item.get("path").string())
		if g.result.settings.exactGlobs {
			match = exactGlob(item.get("path").string())
		}
		if item.get("exclude").bool().Value {
			exclude = append(exclude, match)
		} else {
			include = append(include, match)
		}
	}
	var names []string
	for _, name := range g.files.Files() {
		matches := func(match func(string) bool) bool { return match(name) }
		if slices.ContainsFunc(include, matches) && !slices.ContainsFunc(exclude, matches) {
			names = append(names, name)
		}
	}
	if len(names) > maxParameterFiles {
		return nil, refuse(v.at(), "more than %d files match", maxParameterFiles)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func exactGlob(pattern string) func(string) bool {
	pattern = path.Clean(pattern)
	if len(pattern) > maxPattern {
		return func(string) bool { return false }
	}
	return func(name string) bool { return doublestar.MatchUnvalidated(pattern, name) }
}

// pathspec matches as `git ls-files` does, which Argo CD uses by default: wildcards match slashes, and a path without
// wildcards stands for all files below it.
func pathspec(pattern string) func(string) bool {
	pattern = strings.TrimPrefix(path.Clean(pattern), "/")
	if !strings.ContainsAny(pattern, `*?[\`) {
		return func(name string) bool {
			return name == pattern || pattern == "." || strings.HasPrefix(name, pattern+"/")
		}
	}
	expression, err := regexp.Compile(wildmatch(pattern))
	if err != nil || len(pattern) > maxPattern {
		return func(string) bool { return false }
	}
	return expression.MatchString
}

// wildmatch converts a pattern of git to a regular expression.
func wildmatch(pattern string) string {
	var out strings.Builder
	out.WriteString(`(?s)\A`)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			out.WriteString(".*")
		case '?':
			out.WriteString(".")
		case '[':
			end := strings.IndexByte(pattern[i+1:], ']')
			if end < 1 {
				out.WriteString(`\[`)
				continue
			}
			set := pattern[i+1 : i+1+end]
			if rest, negated := strings.CutPrefix(set, "!"); negated {
				set = "^" + rest
			}
			out.WriteString("[" + strings.ReplaceAll(set, "[", `\[`) + "]")
			i += end + 1
		case '\\':
			if i++; i < len(pattern) {
				out.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
			}
		default:
			out.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	out.WriteString(`\z`)
	return out.String()
}

// fromFile reads the mapping, or the list of mappings, in a file.
func (g *generator) fromFile(v view, name string) ([]params, error) {
	data, err := g.files.tree.ReadAtMost(name, maxData)
	if err == nil {
		err = g.budget.Spend(len(data))
	}
	if err != nil {
		return nil, refuse(v.at(), "the parameters in %s cannot be read: %v", name, err)
	}
	mappings, err := mappingsIn(data)
	if err != nil {
		return nil, refuse(v.at(), "%s contains neither a mapping nor a list of mappings: %v", name, err)
	}
	var sets []params
	for _, mapping := range mappings {
		set := params{}
		if g.engine.Go {
			maps.Copy(set, mapping)
		} else {
			for key, text := range flattened(mapping) {
				set[key] = text
			}
		}
		maps.Copy(set, g.pathParams(v, path.Dir(name), path.Base(name)))
		if set, err = g.withValues(v, set); err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

func mappingsIn(data []byte) ([]params, error) {
	single := params{}
	if yaml.Unmarshal(data, &single) == nil {
		return []params{single}, nil
	}
	var list []params
	err := yaml.Unmarshal(data, &list)
	return list, err
}

// flattened returns the scalars of parameters as strings, by paths such as a.b.0.
func flattened(set params) map[string]string {
	flat := map[string]string{}
	flatten(flat, "", set)
	return flat
}

func flatten(flat map[string]string, key string, value any) {
	below := func(name string) string {
		if key == "" {
			return name
		}
		return key + "." + name
	}
	switch value := value.(type) {
	case map[string]any:
		for name, child := range value {
			flatten(flat, below(name), child)
		}
	case map[string]string:
		for name, child := range value {
			flat[below(name)] = child
		}
	case []any:
		for i, child := range value {
			flatten(flat, below(strconv.Itoa(i)), child)
		}
	default:
		flat[key] = fmt.Sprint(value)
	}
}
