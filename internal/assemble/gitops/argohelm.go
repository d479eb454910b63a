package gitops

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
)

// argoHelm reads the settings of a chart. Even without any, the release is named after the application.
func (r *reader) argoHelm(a *Application, s *sources.Source, v view.View, refs map[string]sources.Source) {
	if s.Kind != sources.Chart {
		return
	}
	s.Helm = sources.Helm{
		ReleaseName: v.Get("releaseName").Text(), Namespace: v.Get("namespace").Text(),
		KubeVersion: v.Get("kubeVersion").Text(), APIVersions: v.Get("apiVersions").Texts(),
		SkipCRDs: v.Get("skipCrds").Bool(), PassCredentials: v.Get("passCredentials").Bool(),
	}
	if s.Helm.ReleaseName.Value == "" {
		s.Helm.ReleaseName = a.Name
	}
	if s.Helm.Namespace.Value == "" {
		s.Helm.Namespace = a.Target
	}
	h := helmReader{reader: r, app: a, source: s, refs: refs}
	h.valueFiles(v.Get("valueFiles"), v.Get("ignoreMissingValueFiles").Bool().Value)
	h.inline(v)
	h.parameters(v)
}

// helmReader reads the values of one source.
type helmReader struct {
	*reader
	app    *Application
	source *sources.Source
	refs   map[string]sources.Source
}

// valueFiles adds the files in order. A pattern stands for all files that match it and are not listed separately; each file
// is added once.
func (h *helmReader) valueFiles(v view.View, ignoreMissing bool) {
	listed := map[string]bool{}
	for _, item := range v.Texts() {
		if name, ok := h.resolve(item.Value); ok && !isPattern(name) {
			listed[name] = true
		}
	}
	seen := map[string]bool{}
	add := func(name string, at view.Location) {
		if !seen[name] {
			seen[name] = true
			h.source.Helm.Values = append(h.source.Helm.Values, sources.Values{File: h.files.realFile(name), Location: at})
		}
	}
	for _, item := range v.Texts() {
		name, ok := h.values(item)
		if !ok {
			continue
		}
		matches := h.matching(name)
		if len(matches) == 0 && !ignoreMissing {
			h.app.addMissingValues(item)
		}
		for _, match := range matches {
			if match == name || !listed[match] {
				add(match, item.Location)
			}
		}
	}
}

// values resolves the path of a values file, or records why it cannot.
func (h *helmReader) values(item view.Field[string]) (name string, ok bool) {
	if reason := h.outside(item.Value); reason != "" {
		h.app.addUnknownValues(item.Location, "the values file %s was not read: %s", item.Value, reason)
		return "", false
	}
	if name, ok = h.resolve(item.Value); !ok {
		h.app.addUnknownValues(item.Location, "the values file %s is outside the repository", item.Value)
	}
	return name, ok
}

// outside returns why a values file is not in this repository; "" if it is.
func (h *helmReader) outside(text string) string {
	ref, isRef := h.ref(text)
	address, err := url.Parse(text)
	switch {
	case isRef && (ref.Repository.Is == sources.OtherRepository || ref.OtherRevision):
		return "it is in another repository: " + ref.Repository.Why
	case isRef:
		return ""
	case err == nil && address.Scheme != "":
		return "it is a URL"
	case refersToSource(text):
		return "no source has this ref"
	case !h.source.Here():
		return "it is in the repository of the chart"
	case filledInLater(h.expanded(text)):
		return "its path is known only during a sync"
	}
	return ""
}

// ref returns the source that a path of the form $name/path refers to.
func (h *helmReader) ref(text string) (sources.Source, bool) {
	first, _, _ := strings.Cut(text, "/")
	source, isRef := h.refs[first]
	return source, isRef
}

// refersToSource reports whether a path begins with a $name that is not one of Argo CD's variables.
func refersToSource(text string) bool {
	name, begins := strings.CutPrefix(text, "$")
	return begins && !strings.HasPrefix(name, "{") && !strings.HasPrefix(name, "ARGOCD_")
}

// resolve returns the path of a file from the root of the repository. An absolute path starts there, a $name/path at the
// root of another source's repository, and all others at the chart.
func (h *helmReader) resolve(text string) (string, bool) {
	dir := h.source.Repository.Dir
	if ref, isRef := h.ref(text); isRef {
		_, text, _ = strings.Cut(text, "/")
		text, dir = "/"+text, ref.Repository.Dir
	}
	name := h.expanded(text)
	if path.IsAbs(name) {
		return inRepository(dir, name)
	}
	return inRepository(dir, path.Join(h.inMember(h.source.Path.Value), name))
}

// expanded substitutes the variables of Argo CD's build environment. Those that are known only during a sync stay.
func (h *helmReader) expanded(text string) string { return expanded(text, h.app, h.source) }

func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

// matching returns the files that a name stands for: the file itself, or all files that match it as a pattern.
func (h *helmReader) matching(name string) []string {
	switch {
	case !isPattern(name) && (!h.files.known() || h.files.HasFile(h.files.realFile(name))):
		return []string{name}
	case !isPattern(name):
		return nil
	}
	var matches []string
	for _, file := range slices.Concat(h.files.Files(), h.files.linkedFiles()) {
		if doublestar.MatchUnvalidated(name, file) {
			matches = append(matches, file)
		}
	}
	slices.Sort(matches)
	return matches
}

// inline adds the values in the object itself. A mapping takes precedence over a string.
func (h *helmReader) inline(v view.View) {
	object, text := v.Get("valuesObject"), v.Get("values").Text()
	fields, isObject := object.Value.(map[string]any)
	switch {
	case isObject:
		data, err := yaml.Marshal(fields)
		if err != nil {
			h.app.addNotChecked(object.At(), "the values cannot be written as YAML: %v", err)
			return
		}
		h.source.Helm.Values = append(h.source.Helm.Values, sources.Values{Text: string(data), Location: object.At()})
	case text.Value != "":
		h.source.Helm.Values = append(h.source.Helm.Values, sources.Values{Text: text.Value, Location: text.Location})
	}
}

// parameters adds single values, those from files last, as `helm template` does.
func (h *helmReader) parameters(v view.View) {
	for _, item := range v.Get("parameters").Items() {
		value := h.expanded(item.Get("value").String())
		if filledInLater(value) {
			h.app.addUnknownValues(item.At(), "the parameter %s is known only during a sync", item.Get("name").String())
		}
		h.source.Helm.Parameters = append(h.source.Helm.Parameters, sources.Parameter{
			Name: item.Get("name").String(), Value: value, Text: item.Get("forceString").Bool().Value, Location: item.At(),
		})
	}
	for _, item := range v.Get("fileParameters").Items() {
		if name, ok := h.values(item.Get("path").Text()); ok {
			h.source.Helm.Parameters = append(h.source.Helm.Parameters,
				sources.Parameter{Name: item.Get("name").String(), File: h.files.realFile(name), Location: item.At()})
		}
	}
}
