// Package crdsafety checks whether operator-controller blocks an upgrade because of what changes in CustomResourceDefinitions. It uses the
// library and the configuration of operator-controller.
package crdsafety

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/crdify/pkg/validators/version"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rendered"
)

// Setting is the field of an extension that turns the check off with the value None.
const Setting = "spec.install.preflight.crdUpgradeSafety.enforcement"

// NotChecked is the note about an extension that turns the check off.
const NotChecked = "the extension sets " + Setting + ": None, so changes of definitions do not block the upgrade"

const kindCRD = "CustomResourceDefinition"

// Blocked is a definition whose changes block an upgrade, with the reasons, each of which begins with the version and the property.
type Blocked struct {
	Definition string
	Reasons    []string
}

// String describes the definition, with the first reasons.
func (b Blocked) String() string {
	const shown = 3
	reasons := b.Reasons
	more := ""
	if len(reasons) > shown {
		reasons, more = reasons[:shown], fmt.Sprintf("; and %d more", len(b.Reasons)-shown)
	}
	return fmt.Sprintf("CRD %s: %s%s", b.Definition, strings.Join(reasons, "; "), more)
}

// rejected is the end of the reason for a definition that the API server rejects, whatever the extension sets.
const rejected = " has no schema, so the API server rejects the definition"

func (b Blocked) isRejected() bool {
	return len(b.Reasons) == 1 && strings.HasSuffix(b.Reasons[0], rejected)
}

// Remedy returns what to do, as an imperative.
func (b Blocked) Remedy() string {
	if b.isRejected() {
		return "use another version"
	}
	return fmt.Sprintf("set %s to None if no object relies on what changes, or use another version", Setting)
}

// Result is what a release does with the changes of definitions.
type Result struct {
	// Blocked are the definitions that block the upgrade.
	Blocked []Blocked
	// NotCompared is set if definitions change, and the release checks that in another way, of which nothing is known here.
	NotCompared bool
	// Removed are versions of definitions that the old objects had, and neither stored nor the new ones have.
	Removed []string
	// Deleted are definitions that only the old objects have. Kept are those of them that stay on the cluster, because of their annotation.
	Deleted, Kept []string
	// More is set if the release also checks what is not checked here.
	More bool
}

// Check returns what a release does with the changes of the definitions among two versions of objects, which are those of a bundle, in a runtime.
// The old ones are those of the cluster.
func Check(release bundlesupport.Release, runtime string, old, fresh []rendered.Object) Result {
	result := Result{}
	result.Deleted, result.Kept = missing(old, fresh, runtime)
	if !changes(old, fresh) {
		return result
	}
	with := release.Crdify()
	result.Removed = removedVersions(old, fresh)
	if !with.Checks {
		result.NotCompared = true
		return result
	}
	blocked, err := check(old, fresh, with)
	result.Blocked, result.NotCompared = blocked, err != nil
	result.More = !with.GrowingEnums && len(blocked) == 0 && anyIntricate(fresh)
	return result
}

// missing returns the definitions that the new objects do not have. Both runtimes of operator-controller delete them: Helm, because the chart of a
// bundle has definitions among its templates, and Boxcutter with the old revision. Only Helm keeps those with its annotation.
//
// Source: helm.sh/helm/v3, pkg/kube/client.go (Client.Update) at the versions of operator-controller v1.0.0 to v1.11.0, and Boxcutter v0.7.1 to
// v0.14.0, which does not read annotations of Helm.
func missing(old, fresh []rendered.Object, runtime string) (deleted, kept []string) {
	there := map[string]bool{}
	for i := range fresh {
		if fresh[i].Kind() == kindCRD {
			there[fresh[i].Name()] = true
		}
	}
	for i := range old {
		name := old[i].Name()
		switch {
		case old[i].Kind() != kindCRD || there[name]:
		case runtime != olm.BoxcutterRuntime && isKept(&old[i]):
			kept = append(kept, name)
		default:
			deleted = append(deleted, name)
		}
	}
	slices.Sort(deleted)
	slices.Sort(kept)
	return slices.Compact(deleted), slices.Compact(kept)
}

// keepPolicy is the annotation with which Helm keeps an object that a chart no longer has, if it is "keep".
const keepPolicy = "helm.sh/resource-policy"

func isKept(o *rendered.Object) bool {
	metadata, _ := o.JSON["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	return annotations[keepPolicy] == "keep"
}

// Deletion describes that an upgrade deletes a definition.
func Deletion(definition string) string {
	return "the upgrade deletes CRD " + definition + ", which the new version does not have, and with it all objects of that kind in the cluster"
}

// removedVersions returns the versions that definitions lose, except those that were stored, which the check compares.
func removedVersions(old, fresh []rendered.Object) []string {
	has := map[string]map[string]bool{}
	for i := range fresh {
		if crd := definition(&fresh[i]); crd != nil {
			has[crd.Name] = map[string]bool{}
			for _, v := range crd.Spec.Versions {
				has[crd.Name][v.Name] = true
			}
		}
	}
	var removed []string
	for i := range old {
		crd := definition(&old[i])
		if crd == nil || has[crd.Name] == nil {
			continue
		}
		for _, v := range crd.Spec.Versions {
			if !v.Storage && !has[crd.Name][v.Name] {
				removed = append(removed, fmt.Sprintf("version %s of CRD %s", v.Name, crd.Name))
			}
		}
	}
	return removed
}

func anyIntricate(all []rendered.Object) bool {
	for i := range all {
		if isIntricate(&all[i]) {
			return true
		}
	}
	return false
}

// isIntricate reports whether a definition has lists, or several versions that no webhook converts. v1.4 has a version of the library that
// compares the items of a list as a whole, and blocks each upgrade of a definition whose served versions differ.
func isIntricate(o *rendered.Object) bool {
	crd := definition(o)
	if crd == nil {
		return false
	}
	converted := crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
	return len(crd.Spec.Versions) > 1 && !converted || strings.Contains(fmt.Sprint(o.JSON["spec"]), "items:")
}

// WithoutCheck returns the result for an extension that turns the check off: only what the API server rejects blocks the upgrade.
func (r Result) WithoutCheck() Result {
	blocked := slices.DeleteFunc(slices.Clone(r.Blocked), func(b Blocked) bool { return !b.isRejected() })
	return Result{Blocked: blocked, Removed: r.Removed, Deleted: r.Deleted, Kept: r.Kept}
}

// Notes describe the result for a reader; by is the release.
func (r Result) Notes(by string) []string {
	var notes []string
	for _, definition := range r.Deleted {
		notes = append(notes, Deletion(definition))
	}
	for _, definition := range r.Kept {
		notes = append(notes, fmt.Sprintf("the new version does not have CRD %s, which stays on the cluster with its objects because of its annotation %s: keep. "+
			"The Boxcutter runtime would delete it", definition, keepPolicy))
	}
	notes = append(notes, r.Open(by)...)
	for _, b := range r.Blocked {
		if b.isRejected() {
			notes = append(notes, "the upgrade fails: "+b.String())
			continue
		}
		notes = append(notes, fmt.Sprintf("%s blocks the upgrade, unless the extension sets %s: None: %s", by, Setting, b))
	}
	return notes
}

// Open describes what of the result depends on what is not known, or not compared; by is the release.
func (r Result) Open(by string) []string {
	var notes []string
	for _, version := range r.Removed {
		notes = append(notes, version+" is removed: if status.storedVersions of the definition on the cluster still lists it, the upgrade fails, whatever the extension sets. "+
			"Migrate the stored objects, and remove it from that list, before")
	}
	if r.NotCompared {
		return append(notes, by+" checks what changes in definitions by separate rules, which are not compared")
	}
	if r.More {
		notes = append(notes, by+" also compares the items of lists as a whole, and the served versions of a definition with each other, which is not compared")
	}
	return notes
}

// check returns the definitions that block the upgrade. Definitions that cannot be read are left out: they are refused anyway.
func check(old, fresh []rendered.Object, with bundlesupport.Crdify) ([]Blocked, error) {
	before := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for i := range old {
		if crd := compared(&old[i], with); crd != nil && schemaless(crd) == "" {
			crd.Status.StoredVersions = stored(crd)
			before[crd.Name] = crd
		}
	}
	if len(before) == 0 {
		return nil, nil
	}
	library, err := checkers[with.GrowingEnums]()
	if err != nil {
		return nil, err
	}
	var blocked []Blocked
	for i := range fresh {
		crd := compared(&fresh[i], with)
		if crd == nil || before[crd.Name] == nil {
			continue
		}
		if version := schemaless(crd); version != "" {
			blocked = append(blocked, Blocked{crd.Name, []string{version + rejected}})
			continue
		}
		results, err := run(library, before[crd.Name], crd)
		if err != nil {
			return blocked, err
		}
		if !results.HasFailures() {
			continue
		}
		if reasons := reasonsOf(results); len(reasons) > 0 {
			blocked = append(blocked, Blocked{crd.Name, reasons})
		}
	}
	return blocked, nil
}

// schemaless returns the first version without a schema; "" if each has one. The API server rejects a definition without one, so that no
// cluster has it, and the library crashes.
func schemaless(crd *apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range crd.Spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return v.Name
		}
	}
	return ""
}

// run runs the library, which can crash for a definition that no API server accepts.
func run(library *runner.Runner, old, fresh *apiextensionsv1.CustomResourceDefinition) (results *runner.Results, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", fresh.Name, p)
		}
	}()
	return library.Run(old, fresh), nil
}

// changes reports whether a definition differs between two versions.
func changes(old, fresh []rendered.Object) bool {
	before := map[string]string{}
	for i := range old {
		if old[i].Kind() == kindCRD {
			before[old[i].Name()] = fmt.Sprint(old[i].JSON["spec"])
		}
	}
	return slices.ContainsFunc(fresh, func(o rendered.Object) bool {
		spec, known := before[o.Name()]
		return o.Kind() == kindCRD && known && spec != fmt.Sprint(o.JSON["spec"])
	})
}

func definition(o *rendered.Object) *apiextensionsv1.CustomResourceDefinition {
	if o.Kind() != kindCRD {
		return nil
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(o.JSON, crd) != nil {
		return nil
	}
	return crd
}

// compared returns the definition as the library of a release compares it. That of v1.10 ignores descriptions of what oneOf lists.
func compared(o *rendered.Object, with bundlesupport.Crdify) *apiextensionsv1.CustomResourceDefinition {
	crd := definition(o)
	if crd == nil || !with.DescribedOneOf {
		return crd
	}
	for _, v := range crd.Spec.Versions {
		if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil { // see schemaless
			withoutOneOfDescriptions(v.Schema.OpenAPIV3Schema)
		}
	}
	return crd
}

func withoutOneOfDescriptions(s *apiextensionsv1.JSONSchemaProps) {
	for i := range s.OneOf {
		s.OneOf[i].Description = ""
	}
	for name, property := range s.Properties {
		withoutOneOfDescriptions(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		withoutOneOfDescriptions(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		withoutOneOfDescriptions(s.AdditionalProperties.Schema)
	}
}

// stored returns the version that the API server of a cluster stores, which the manifest does not list.
func stored(crd *apiextensionsv1.CustomResourceDefinition) []string {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return []string{v.Name}
		}
	}
	return nil
}

// reasonsOf returns the errors of a check, sorted.
func reasonsOf(results *runner.Results) []string {
	var reasons []string
	for _, result := range results.CRDValidation {
		for _, text := range result.Errors {
			reasons = append(reasons, brief(text))
		}
	}
	for _, versions := range [][]version.VersionedPropertyComparisonResult{results.SameVersionValidation, results.ServedVersionValidation} {
		for _, v := range versions {
			for _, p := range v.PropertyComparisons {
				for _, result := range p.ComparisonResults {
					for _, text := range result.Errors {
						reasons = append(reasons, fmt.Sprintf("%s, %s: %s", v.Version, strings.TrimPrefix(p.Property, "^"), brief(text)))
					}
				}
			}
		}
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// brief shortens the library's messages: those about changes that it does not know contain a difference of Go structures.
func brief(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(strings.ReplaceAll(strings.TrimSpace(first), " : ", ": "), " :")
}
