package objects

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// absent reports whether a manifest at a path of its holder is not applied: a ConfigurationPolicy demands that there is no such
// object, or salint renders the chart that takes the manifest as a value.
func (f embeddedForm) absent(holder *manifest.Node, path manifest.Path) bool {
	switch f {
	case configurationForm:
		return complianceOf(holder, path) == "mustnothave"
	case chartForm:
		source := path[:len(path)-len(manifest.Path{"helm", "valuesObject", "list", "item"})]
		return holder.Lookup(source.Join("chart")).String() == ""
	case releaseForm:
		return !TakesRemoteChart(holder)
	}
	return false
}

// TakesRemoteChart reports whether a HelmRelease takes its chart from a chart repository, so that it is not rendered.
func TakesRemoteChart(release *manifest.Node) bool {
	return release.Lookup(manifest.Path{"spec", "chart", "spec", "sourceRef", "kind"}).String() == "HelmRepository" ||
		release.Lookup(manifest.Path{"spec", "chartRef"}) != nil
}

// complianceOf returns the compliance type of the object template around a manifest, in lower case.
func complianceOf(holder *manifest.Node, path manifest.Path) string {
	return strings.ToLower(holder.Lookup(path[:len(path)-1].Join("complianceType")).String())
}

// typeBeside returns the type that a manifest has if it sets none.
func (f embeddedForm) typeBeside(holder *manifest.Node, path manifest.Path) typeMeta {
	if f != generatedForm {
		return typeMeta{}
	}
	beside := holder.Lookup(path[:len(path)-1])
	return typeMeta{beside.Get("apiVersion").String(), beside.Get("kind").String()}
}

// complete fills in what a manifest does not set and its holder does. Kyverno always takes the type and the name from its rule.
func (f embeddedForm) complete(holder *manifest.Node, path manifest.Path, o *Object) {
	if f != generatedForm {
		return
	}
	beside := holder.Lookup(path[:len(path)-1])
	if o.APIVersion == "" {
		o.APIVersion = beside.Get("apiVersion").String()
		o.Group, _ = SplitAPIVersion(o.APIVersion)
	}
	// Readers of the node need what is set outside of it, too.
	if name := beside.Get("name").String(); name != "" {
		o.Name, o.Node = name, o.Node.WithText(manifest.Path{"metadata", "name"}, name)
	}
	if namespace := beside.Get("namespace").String(); namespace != "" {
		o.Namespace, o.Node = namespace, o.Node.WithText(manifest.Path{"metadata", "namespace"}, namespace)
	}
}

// keeps returns why an object on the cluster keeps a field that is removed from its manifest; "" if it does not.
func (f embeddedForm) keeps(holder *Object, path manifest.Path, o *Object) string {
	switch {
	case f == configurationForm && complianceOf(holder.Node, path) != "mustonlyhave":
		return "the complianceType is musthave, which never removes a field"
	case f == generatedForm && !synchronizes(holder.Node, path):
		return "synchronize is not true, so Kyverno does not change what it has generated"
	case holder.Group == workGroup && createsOnly(holder, o):
		return "the updateStrategy of the manifest does not update it"
	}
	return ""
}

// removalWay is how an object goes from the cluster that another object holds.
type removalWay int

const (
	// byController leaves it to the controller of the holder what happens to a removed manifest.
	byController removalWay = iota
	// byPruning deletes the objects of removed templates, and byPruningCreated those that the policy created.
	byPruning
	byPruningCreated
	// byMustNotHave deletes only what the policy demands to be absent.
	byMustNotHave
)

// removal returns how an object goes from the cluster. The controller of a ConfigurationPolicy deletes the object of a removed
// template only if pruneObjectBehavior is set, and nothing without enforcement.
func (f embeddedForm) removal(holder *Object) removalWay {
	if f != configurationForm {
		return byController
	}
	switch holder.Node.Lookup(manifest.Path{"spec", "pruneObjectBehavior"}).String() {
	case "DeleteAll":
		return byPruning
	case "DeleteIfCreated":
		return byPruningCreated
	}
	return byMustNotHave
}

// Removal returns what a person does so that the object goes from the cluster, or several that are removed in the same way, as an
// imperative.
func (e *Embedding) Removal(several bool) string {
	it, are, template, its, object := "it", "it is", "template", "its template", "object"
	if several {
		it, are, template, its, object = "these objects", "they are", "templates", "the templates of these objects", "objects"
	}
	switch e.removedBy {
	case byPruning, byPruningCreated:
		text := fmt.Sprintf("remove %s there by hand; with remediationAction: enforce, pruneObjectBehavior deletes the %s", its, object)
		if e.removedBy == byPruningCreated {
			text += " that the policy created"
		}
		return text
	case byMustNotHave:
		return fmt.Sprintf("set complianceType: mustnothave for %s there by hand, with remediationAction: enforce; removing only the %s leaves the %s on the cluster",
			it, template, object)
	}
	return fmt.Sprintf("remove %s there by hand, and check that %s also removed from the cluster", it, are)
}

// synchronizes reports whether the rule around a path keeps generated objects equal to their manifest.
func synchronizes(holder *manifest.Node, path manifest.Path) bool {
	for i, step := range path {
		if step == "generate" {
			return holder.Lookup(path[:i+1].Join("synchronize")).String() == "true"
		}
	}
	return false
}

// createsOnly reports whether a ManifestWork names an object among those that it does not update.
func createsOnly(work, o *Object) bool {
	for _, spec := range []manifest.Path{{"spec", "manifestConfigs"}, {"spec", "manifestWorkTemplate", "manifestConfigs"}} {
		for _, config := range Items(work.Node.Lookup(spec)) {
			name := config.Lookup(manifest.Path{"resourceIdentifier", "name"}).String()
			switch config.Lookup(manifest.Path{"updateStrategy", "type"}).String() {
			case "CreateOnly", "ReadOnly":
				if name == o.Name || name == "*" {
					return true
				}
			}
		}
	}
	return false
}

// Title names the outer object in messages: "Policy install-operators".
func (e *Embedding) Title() string {
	if e.Outer.Name == "" {
		return fmt.Sprintf("the %s in %s", e.Outer.Kind, e.Outer.File)
	}
	return e.Outer.Kind + " " + e.Outer.Name
}

// completeJSON adds the type and the name that the holder of an object sets.
func (e *Embedding) completeJSON(o *Object, decoded map[string]any) {
	if text, _ := decoded["apiVersion"].(string); text == "" && o.APIVersion != "" {
		decoded["apiVersion"] = o.APIVersion
	}
	metadata, ok := decoded["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
	}
	for key, value := range map[string]string{"name": o.Name, "namespace": o.Namespace} {
		if value != "" {
			metadata[key] = value
		}
	}
	if len(metadata) > 0 {
		decoded["metadata"] = metadata
	}
}
