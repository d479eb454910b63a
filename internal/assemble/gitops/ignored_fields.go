package gitops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// The options of Argo CD that make a sync leave ignored fields as they are: the first one, or an object that is not synced because nothing
// else differs.
const (
	optionRespectIgnored = "RespectIgnoreDifferences=true"
	optionOutOfSyncOnly  = "ApplyOutOfSyncOnly=true"
)

// ignoredFields is one entry of ignoreDifferences, for the objects that it selects.
type ignoredFields struct {
	group, kind, namespace, name string
	pointers, expressions        []string
	// managed is set if the fields of some managers are ignored. Which they are is only known on the cluster.
	managed bool
	at      view.Location
}

// IgnoresDifference returns why a sync leaves a field of an object as it is, because differences of the field are ignored: a part of a sentence.
// ok is false if it does not.
func (r *Result) IgnoresDifference(a *Application, o *objects.Object, field manifest.Path) (why string, ok bool) {
	if a.respects == "" {
		return "", false
	}
	for _, ignored := range slices.Concat(a.ignored, r.settings.ignored) {
		if ignored.selects(o) && ignored.covers(field) {
			return fmt.Sprintf("Argo CD ignores the difference (%s at %s)", a.respects, ignored.at.Object.Position(ignored.at.Path)), true
		}
	}
	return "", false
}

func (i ignoredFields) selects(o *objects.Object) bool {
	return globMatches(i.group, o.Group) && globMatches(i.kind, o.Kind) && (i.name == "" || i.name == o.Name) &&
		(i.namespace == "" || i.namespace == o.Namespace)
}

// globMatches matches as Argo CD does for groups and kinds, without the braces of its globs.
func globMatches(pattern, text string) bool {
	matches, err := path.Match(pattern, text)
	return err != nil || matches
}

// covers reports whether a field, a part of it, or a mapping with it is ignored. An expression of jq can select any field that it names.
func (i ignoredFields) covers(field manifest.Path) bool {
	if i.managed {
		return true
	}
	for _, pointer := range i.pointers {
		ignored := manifest.Path(strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
		if n := min(len(ignored), len(field)); slices.Equal(ignored[:n], field[:n]) {
			return true
		}
	}
	return slices.ContainsFunc(i.expressions, func(expression string) bool {
		return strings.Contains(expression, field[len(field)-1]) || strings.Trim(expression, ". ") == strings.Join(field[:len(field)-1], ".")
	})
}

// ignoredIn reads the ignoreDifferences of an Application.
func ignoredIn(list view.View) (all []ignoredFields) {
	for _, v := range list.Items() {
		ignored := ignoredFields{
			group: v.Get("group").String(), kind: v.Get("kind").String(), namespace: v.Get("namespace").String(), name: v.Get("name").String(),
			managed: len(v.Get("managedFieldsManagers").Items()) > 0, at: v.At(),
		}
		for _, pointer := range v.Get("jsonPointers").Items() {
			ignored.pointers = append(ignored.pointers, pointer.String())
		}
		for _, expression := range v.Get("jqPathExpressions").Items() {
			ignored.expressions = append(ignored.expressions, expression.String())
		}
		all = append(all, ignored)
	}
	return all
}

// prefixIgnored begins the keys of argocd-cm with the differences that are ignored in all Applications.
const prefixIgnored = "resource.customizations.ignoreDifferences."

// ignoredInSettings reads the keys of argocd-cm.
func ignoredInSettings(o *objects.Object) (all []ignoredFields) {
	for _, entry := range view.Of(o).Get("data").Entries() {
		selected, is := strings.CutPrefix(entry.Key, prefixIgnored)
		text := entry.Value.Value
		if !is || len(text) > maxData {
			continue
		}
		var read struct {
			JSONPointers          []string `json:"jsonPointers"`
			JQPathExpressions     []string `json:"jqPathExpressions"`
			ManagedFieldsManagers []string `json:"managedFieldsManagers"`
		}
		if yaml.Unmarshal([]byte(text), &read) != nil {
			continue
		}
		ignored := ignoredFields{group: "*", kind: "*", pointers: read.JSONPointers, expressions: read.JQPathExpressions,
			managed: len(read.ManagedFieldsManagers) > 0, at: entry.Value.Location}
		if selected != "all" {
			ignored.group, ignored.kind, _ = strings.Cut(selected, "_")
		}
		all = append(all, ignored)
	}
	return all
}
