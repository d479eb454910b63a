package built

import (
	"maps"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/kube/objects"
)

// Object is an object as it is applied.
type Object struct {
	object   *objects.Object
	metadata metadata
	// namespace is that in which the tool applies the object, which sets none; "" for another object.
	namespace string
}

// Source returns where the object comes from: its place in its own file, or in the template or generator that makes it.
func (o Object) Source() objects.Position { return o.object.Position(nil) }

// Value returns the object, without the data of Secrets.
func (o Object) Value() map[string]any {
	value := o.metadata.addTo(redact.Value(o.object.JSON()))
	if o.namespace == "" {
		return value
	}
	value, fields := maps.Clone(value), mapping(value, "metadata")
	fields["namespace"], value["metadata"] = o.namespace, fields
	return value
}

// metadata are labels and annotations that Flux sets on all objects of an application. Rules do not depend on them, so they are added only here.
type metadata struct{ labels, annotations map[string]any }

// metadataOf returns the commonMetadata of an application.
func metadataOf(a *gitops.Application) metadata {
	set := metadata{map[string]any{}, map[string]any{}}
	add := func(to map[string]any, entries []view.Entry) {
		for _, e := range entries {
			to[e.Key] = e.Value.Value
		}
	}
	for _, s := range a.Sources {
		add(set.labels, s.Kustomize.MetadataLabels)
		add(set.annotations, s.Kustomize.MetadataAnnotations)
	}
	return set
}

func (m metadata) equal(other metadata) bool {
	return maps.Equal(m.labels, other.labels) && maps.Equal(m.annotations, other.annotations)
}

// addTo returns an object with the metadata. helm-controller adds none to hooks, because it sets them after Helm rendered the chart.
func (m metadata) addTo(object map[string]any) map[string]any {
	if len(m.labels)+len(m.annotations) == 0 {
		return object
	}
	object, fields := maps.Clone(object), mapping(object, "metadata")
	if _, isHook := mapping(fields, "annotations")["helm.sh/hook"]; isHook {
		return object
	}
	for name, set := range map[string]map[string]any{"labels": m.labels, "annotations": m.annotations} {
		if len(set) > 0 {
			with := mapping(fields, name)
			maps.Copy(with, set)
			fields[name] = with
		}
	}
	object["metadata"] = fields
	return object
}

// mapping returns a copy of the mapping in a field, which is empty if there is none.
func mapping(object map[string]any, field string) map[string]any {
	copied := map[string]any{}
	fields, _ := object[field].(map[string]any)
	maps.Copy(copied, fields)
	return copied
}
