// Package crdsafety checks whether operator-controller blocks an upgrade because of what changes in CustomResourceDefinitions. It uses the
// library and the configuration of operator-controller.
package crdsafety

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/crdify/pkg/validations/property"
	"sigs.k8s.io/crdify/pkg/validators/version"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/rendered"
)

// Setting is the field of an extension that turns the check off with the value None.
const Setting = "spec.install.preflight.crdUpgradeSafety.enforcement"

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

// Result is what a release does with the changes of definitions.
type Result struct {
	// Blocked are the definitions that block the upgrade.
	Blocked []Blocked
	// NotCompared is set if definitions change, and the release checks that in another way, of which nothing is known here.
	NotCompared bool
}

// Check returns what a release does with the changes of the definitions among two versions of objects, which are those of a bundle. The old
// ones are those of the cluster.
func Check(release bundlesupport.Release, old, fresh []rendered.Object) Result {
	if !changes(old, fresh) {
		return Result{}
	}
	checks, growingEnums := release.Crdify()
	if !checks {
		return Result{NotCompared: true}
	}
	blocked, err := check(old, fresh, growingEnums)
	return Result{Blocked: blocked, NotCompared: err != nil}
}

// Notes describe the result for a reader; by is the release.
func (r Result) Notes(by string) []string {
	if r.NotCompared {
		return []string{by + " checks what changes in definitions by separate rules, which are not compared"}
	}
	var notes []string
	for _, b := range r.Blocked {
		notes = append(notes, fmt.Sprintf("%s blocks the upgrade, unless the extension sets %s: None: %s", by, Setting, b))
	}
	return notes
}

// check returns the definitions that block the upgrade. Definitions that cannot be read are left out: they are refused anyway.
func check(old, fresh []rendered.Object, growingEnums bool) ([]Blocked, error) {
	before := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for i := range old {
		if crd := definition(&old[i]); crd != nil {
			crd.Status.StoredVersions = stored(crd)
			before[crd.Name] = crd
		}
	}
	if len(before) == 0 {
		return nil, nil
	}
	library, err := checkers[growingEnums]()
	if err != nil {
		return nil, err
	}
	var blocked []Blocked
	for i := range fresh {
		crd := definition(&fresh[i])
		if crd == nil || before[crd.Name] == nil {
			continue
		}
		results := library.Run(before[crd.Name], crd)
		if !results.HasFailures() {
			continue
		}
		if reasons := reasonsOf(results); len(reasons) > 0 {
			blocked = append(blocked, Blocked{crd.Name, reasons})
		}
	}
	return blocked, nil
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

// stored returns the version that the API server of a cluster stores, which the manifest does not list.
func stored(crd *apiextensionsv1.CustomResourceDefinition) []string {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return []string{v.Name}
		}
	}
	return nil
}

// checkers are the checks with and without growing enums.
var checkers = map[bool]func() (*runner.Runner, error){
	false: sync.OnceValues(func() (*runner.Runner, error) { return newRunner(false) }),
	true:  sync.OnceValues(func() (*runner.Runner, error) { return newRunner(true) }),
}

// newRunner returns the check with the configuration of operator-controller: changes of descriptions are allowed, everything that no
// validation knows is an error, and versions are not compared with each other if a webhook converts them.
//
// Source: operator-controller v1.4.0 to v1.11.0, rukpak/preflights/crdupgradesafety (defaultConfig). v1.5 to v1.8 have crdify v0.5.0, the
// others untagged versions.
func newRunner(growingEnums bool) (*runner.Runner, error) {
	c := &config.Config{
		Conversion:           config.ConversionPolicyIgnore,
		UnhandledEnforcement: config.EnforcementPolicyError,
		Validations:          []config.ValidationConfig{{Name: "description", Enforcement: config.EnforcementPolicyNone}},
	}
	if growingEnums {
		c.Validations = append(c.Validations, config.ValidationConfig{
			Name: "enum", Enforcement: config.EnforcementPolicyError, Configuration: map[string]any{"additionPolicy": property.AdditionPolicyAllow},
		})
	}
	return runner.New(c, runner.DefaultRegistry())
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
