package generators

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
)

// git returns a set of parameters for every matching folder, or for every mapping in the matching files.
func (g *Generator) git(v view.View) ([]Params, error) {
	address := v.Get("repoURL").Text()
	repository := g.Find(address)
	switch {
	case repository.Is == sources.OtherRepository:
		return nil, unknown(address.Location, "it reads %s, which is not this repository: %s", cmp.Or(address.Value, "(none)"), repository.Why)
	case g.Read == nil:
		return nil, unknown(v.At(), "the files of the repository are unknown")
	}
	g = g.in(repository.Dir)
	if directories := v.Get("directories"); len(directories.Items()) > 0 {
		return g.directories(v, directories.Items())
	}
	if files := v.Get("files"); len(files.Items()) > 0 {
		return g.fileSets(v, files.Items())
	}
	return nil, refuse(v.At(), "it has neither directories nor files")
}

// in returns the generator for the repository in a folder, see [sources.Repository]: its paths are relative to that.
func (g *Generator) in(dir string) *Generator {
	if dir == "" || dir == "." {
		return g
	}
	out, read := *g, g.Read
	out.Files, out.Folders = below(dir, g.Files), below(dir, g.Folders)
	out.Read = func(name string, limit int64) ([]byte, error) { return read(dir+"/"+name, limit) }
	return &out
}

func below(dir string, names []string) []string {
	var found []string
	for _, name := range names {
		if rest, is := sources.Below(dir, name); is {
			found = append(found, rest)
		}
	}
	return found
}

// directories matches folders, except hidden ones and those in hidden ones. As in Argo CD, * does not match slashes.
func (g *Generator) directories(v view.View, items []view.View) ([]Params, error) {
	if err := g.Engine.Budget.Spend(len(g.Folders) * len(items)); err != nil {
		return nil, because(v.At(), err)
	}
	var sets []Params
	for _, dir := range g.Folders {
		included := false
		for _, item := range items {
			matches, _ := path.Match(item.Get("path").String(), dir) // an invalid pattern matches nothing
			if matches && item.Get("exclude").Bool().Value {
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
			return nil, unknown(v.At(), "more than %d folders match", maxSets)
		}
	}
	return sets, nil
}

// pathParams returns the parameters about a folder, and about a file in it unless that is "".
func (g *Generator) pathParams(v view.View, dir, file string) Params {
	prefix := v.Get("pathParamPrefix").String()
	names := map[string]string{"basename": path.Base(dir), "basenameNormalized": template.Normalize(path.Base(dir))}
	if file != "" {
		names["filename"], names["filenameNormalized"] = file, template.Normalize(file)
	}
	segments := strings.Split(dir, "/")
	if g.Engine.Go {
		inner := Params{"path": dir, "segments": segments}
		for name, value := range names {
			inner[name] = value
		}
		if prefix != "" {
			return Params{prefix: Params{"path": inner}}
		}
		return Params{"path": inner}
	}
	key := "path"
	if prefix != "" {
		key = prefix + ".path"
	}
	set := Params{key: dir}
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
func (g *Generator) withValues(v view.View, set Params) (Params, error) {
	filledIn := map[string]string{}
	for _, entry := range v.Get("values").Entries() {
		text, err := g.Engine.Fill(entry.Value.Value, set)
		if err != nil {
			return nil, because(entry.Value.Location, err)
		}
		filledIn[entry.Key] = text
	}
	for key, text := range filledIn {
		if !g.Engine.Go {
			set["values."+key] = text
		}
	}
	if g.Engine.Go && len(filledIn) > 0 {
		set["values"] = filledIn
	}
	return set, nil
}

// fileSets reads the files that match a pattern and no exclusion, sorted by name.
func (g *Generator) fileSets(v view.View, items []view.View) ([]Params, error) {
	names, err := g.matching(v, items)
	if err != nil {
		return nil, err
	}
	var sets []Params
	for _, name := range names {
		found, err := g.fromFile(v, name)
		if err != nil {
			return nil, err
		}
		if sets = append(sets, found...); len(sets) > maxSets {
			return nil, unknown(v.At(), "the files contain more than %d sets of parameters", maxSets)
		}
	}
	return sets, nil
}

func (g *Generator) matching(v view.View, items []view.View) ([]string, error) {
	if err := g.Engine.Budget.Spend(len(g.Files) * len(items)); err != nil {
		return nil, because(v.At(), err)
	}
	var include, exclude []func(string) bool
	for _, item := range items {
		match := pathspec(item.Get("path").String())
		if g.ExactGlobs {
			match = exactGlob(item.Get("path").String())
		}
		if item.Get("exclude").Bool().Value {
			exclude = append(exclude, match)
		} else {
			include = append(include, match)
		}
	}
	var names []string
	for _, name := range g.Files {
		matches := func(match func(string) bool) bool { return match(name) }
		if slices.ContainsFunc(include, matches) && !slices.ContainsFunc(exclude, matches) {
			names = append(names, name)
		}
	}
	if len(names) > maxFiles {
		return nil, unknown(v.At(), "more than %d files match", maxFiles)
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
func (g *Generator) fromFile(v view.View, name string) ([]Params, error) {
	data, err := g.Read(name, maxData)
	if err == nil {
		err = g.Engine.Budget.Spend(len(data))
	}
	if err != nil {
		return nil, unknown(v.At(), "the parameters in %s cannot be read: %v", name, err)
	}
	mappings, err := mappingsIn(data)
	if err != nil {
		return nil, refuse(v.At(), "%s contains neither a mapping nor a list of mappings: %v", name, err)
	}
	var sets []Params
	for _, mapping := range mappings {
		set := Params{}
		if g.Engine.Go {
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

func mappingsIn(data []byte) ([]Params, error) {
	single := Params{}
	if yaml.Unmarshal(data, &single) == nil {
		return []Params{single}, nil
	}
	var list []Params
	err := yaml.Unmarshal(data, &list)
	return list, err
}
