package unread

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// settings are what an ApplicationSet sets for applications that are not known.
type settings struct {
	all []origin.Setting
	// first names the first source, and revision is its revision.
	first, revision string
	// quiet is set if the set applies only folders with nothing that decides what is granted.
	quiet bool

	state   State
	judge   *folders
	sources []gitops.UnresolvedSource
	// revisions are the texts of revisions, in which parameters are filled in, and params the parameters.
	revisions []string
	params    []origin.Setting
}

// settingsOf returns the settings of a set. Generators that can be run are left out, if the reasons tell which cannot.
func settingsOf(o *objects.Object, why []gitops.Reason, from []gitops.UnresolvedSource, judge *folders) settings {
	s := settings{state: judge.state, judge: judge, sources: from, quiet: true}
	spec, _ := o.JSON()["spec"].(map[string]any)
	if spec["goTemplate"] == true {
		s.add("goTemplate", "true")
	}
	s.template(spec["template"], manifest.Path{"spec", "template"})
	generators := jsonfield.List(spec["generators"])
	for i, item := range generators {
		if at := (manifest.Path{"spec", "generators", strconv.Itoa(i)}); concerns(why, at) {
			s.generator(item, at)
		}
	}
	s.patch(jsonfield.Text(spec["templatePatch"]))
	s.quiet = s.quiet && len(from) > 0
	s.addParams()
	return s
}

// concerns reports whether a reason is about a generator, or about none in particular.
func concerns(why []gitops.Reason, at manifest.Path) bool {
	return len(why) == 0 || slices.ContainsFunc(why, func(r gitops.Reason) bool {
		is := r.Location.Path
		return len(is) < len(at) || is[1] != at[1] || slices.Equal(is[:len(at)], at)
	})
}

// repositoryAddress is the name of the setting with the address of the repository of a source.
const repositoryAddress = "repoURL"

func (s *settings) add(name, text string) {
	s.all = append(s.all, origin.Setting{Name: name, Text: text, Decides: true})
}

// template adds what a template of applications sets.
func (s *settings) template(value any, at manifest.Path) {
	fields, _ := value.(map[string]any)
	spec, _ := fields["spec"].(map[string]any)
	if spec == nil {
		return
	}
	s.all = append(s.all, origin.Application(spec)...)
	hydrator, _ := spec["sourceHydrator"].(map[string]any)
	at = at.Join("spec")
	switch list := jsonfield.List(spec["sources"]); {
	case hydrator["drySource"] != nil:
		s.source(hydrator["drySource"], at.Join("sourceHydrator", "drySource"))
	case len(list) > 0:
		for i, item := range list {
			s.source(item, at.Join("sources", strconv.Itoa(i)))
		}
	case spec["source"] != nil:
		s.source(spec["source"], at.Join("source"))
	}
}

// source adds which content a source takes.
func (s *settings) source(value any, at manifest.Path) {
	fields, _ := value.(map[string]any)
	isHere, isKnown, isQuiet := false, true, true
	for _, u := range s.sources {
		if !slices.Equal(u.Source.Path, at) {
			continue
		}
		isHere = isHere || u.AsRead
		isKnown = isKnown && u.Literal()
		isQuiet = isQuiet && s.judge.isQuiet(u)
		if u.AsRead {
			s.all = append(s.all, s.judge.pathOf(u))
			s.values(fields["helm"], u.Path)
		}
	}
	if !isHere {
		s.values(fields["helm"], "")
	}
	isQuiet = isQuiet && isHere
	s.quiet = s.quiet && isQuiet
	address := jsonfield.Text(fields[repositoryAddress])
	s.all = append(s.all, origin.Setting{Name: repositoryAddress, Text: cmp.Or(sources.NormalAddress(address), address), Decides: true, Adds: true})
	for _, key := range []string{"path", "chart"} {
		if text := jsonfield.Text(fields[key]); text != "" && !(isHere && isKnown && key == "path") {
			s.all = append(s.all, origin.Setting{Name: key, Text: text, Decides: !isQuiet, Adds: true})
		}
	}
	s.first = cmp.Or(s.first, strings.TrimPrefix(cmp.Or(jsonfield.Text(fields["chart"]), jsonfield.Text(fields["path"]))+" of "+address, " of "))
	s.addRevision("targetRevision", jsonfield.Text(fields["targetRevision"]))
}

// addRevision adds the revision of a source or generator.
func (s *settings) addRevision(name, text string) {
	if s.revisions = append(s.revisions, text); len(s.revisions) == 1 {
		s.revision = text
		return
	}
	s.all = append(s.all, origin.Setting{Name: name, Text: text, IsRevision: true})
}

// tag is a parameter in the name of a file.
var tag = lazyregexp.New(`\{\{.*?\}\}`)

// values adds the values in the files that a chart takes, in a folder of the repository; "" is a chart from elsewhere. A parameter in the name stands for any
// text.
func (s *settings) values(helm any, dir string) {
	fields, _ := helm.(map[string]any)
	for _, file := range jsonfield.List(fields["valueFiles"]) {
		name := tag().ReplaceAllString(jsonfield.Text(file), "*")
		reference, rest, found := strings.Cut(name, "/")
		switch {
		case found && strings.HasPrefix(reference, "$"):
			name = path.Clean(rest)
		case dir == "":
			continue
		default:
			name = path.Join(dir, name)
		}
		u := gitops.UnresolvedSource{Path: name}
		for _, file := range s.state.Repository.Collection.Names {
			if u.Covers(file) {
				s.all = append(s.all, origin.Values(path.Base(file), s.state.textOf(file))...)
			}
		}
	}
}

// patch adds a patch of the template.
func (s *settings) patch(text string) {
	if text == "" {
		return
	}
	s.quiet = false
	var value map[string]any
	if strings.Contains(text, "{{") || yaml.Unmarshal([]byte(text), &value) != nil {
		s.add("templatePatch", text)
		return
	}
	s.template(value, manifest.Path{"spec", "templatePatch"})
}

// generator adds which parameters the generators of an item make.
func (s *settings) generator(item any, at manifest.Path) {
	fields, _ := item.(map[string]any)
	for kind, value := range fields {
		if kind == "merge" { // the later generators can change the parameters of the earlier ones
			s.quiet = false
		}
		inner, isMap := value.(map[string]any)
		if kind == "selector" || !isMap {
			s.fields("selector", value)
			continue
		}
		s.all = append(s.all, origin.Setting{Name: kind, Decides: true, Adds: true})
		for key, child := range inner {
			s.field(kind, key, child, at.Join(kind, key))
		}
	}
}

func (s *settings) field(kind, key string, value any, at manifest.Path) {
	switch key {
	case "requeueAfterSeconds", "mergeKeys":
	case "template":
		if fields, _ := value.(map[string]any); fields["spec"] != nil {
			s.template(value, at)
		}
	case "generators":
		for i, item := range jsonfield.List(value) {
			s.generator(item, at.Join(strconv.Itoa(i)))
		}
	case "values", "elements":
		origin.Leaves(value, func(name string, leaf any) { s.addParam(name, leaf) })
	case "elementsYaml":
		var elements any
		if text := jsonfield.Text(value); strings.Contains(text, "{{") || yaml.Unmarshal([]byte(text), &elements) != nil {
			s.add(kind+".elementsYaml", text)
			return
		}
		origin.Leaves(elements, func(name string, leaf any) { s.addParam(name, leaf) })
	case "revision":
		s.all = append(s.all, origin.Setting{Name: kind + ".revision", Text: jsonfield.Text(value), IsRevision: true})
	default:
		s.fields(kind+"."+key, value)
	}
}

// fields adds all fields of a value.
func (s *settings) fields(name string, value any) {
	origin.Leaves(value, func(field string, leaf any) { s.add(name+field, origin.TextOf(leaf)) })
}

func (s *settings) addParam(name string, leaf any) {
	s.params = append(s.params, origin.Setting{Name: strings.TrimPrefix(name, "."), Text: origin.TextOf(leaf)})
}

// anyParam matches templates that can use every parameter.
var anyParam = lazyregexp.New(`\b(?:range|with|index|get|dig|pluck|toYaml|toJson)\b|\{\{-?\s*\.\s*[|}-]`)

// addParams adds the parameters that templates use in settings that decide, and those that they use for a revision only. Where they use one for a folder
// of the repository, the folder counts.
func (s *settings) addParams() {
	var texts []string
	for _, setting := range s.all {
		if setting.Decides && strings.Contains(setting.Text, "{{") {
			texts = append(texts, setting.Text)
		}
	}
	deciding, revisions := strings.Join(texts, "\n"), strings.Join(s.revisions, "\n")
	for _, param := range s.params {
		word := param.Name[strings.LastIndexByte(param.Name, '.')+1:]
		isUsed, err := regexp.Compile(`(?:^|\W)` + regexp.QuoteMeta(word) + `(?:\W|$)`)
		switch {
		case err != nil, isUsed.MatchString(deciding), anyParam().MatchString(deciding):
			param.Decides = true
		case isUsed.MatchString(revisions), anyParam().MatchString(revisions):
			param.IsRevision = true
		default:
			continue
		}
		s.all = append(s.all, param)
	}
}
