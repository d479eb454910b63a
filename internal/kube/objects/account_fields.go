package objects

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// accountFields are the fields of kinds whose type defines that they name an account of the object's own namespace, by the API group.
// Fields of these names in other kinds, and in values of charts, can mean an account anywhere. AnyItem stands for every step.
var accountFields = map[string][]manifest.Path{
	"kustomize.toolkit.fluxcd.io": {specAccount},
	"helm.toolkit.fluxcd.io":      {specAccount},
	"source.toolkit.fluxcd.io":    {specAccount},
	"image.toolkit.fluxcd.io":     {specAccount},
	fluxOperator:                  {specAccount},
	"operators.coreos.com":        {specAccount},
	"kappctrl.k14s.io":            {specAccount},
	"packaging.carvel.dev":        {specAccount},
	"monitoring.coreos.com":       {specAccount},
	"tekton.dev":                  {specAccount, {"spec", "taskRunTemplate", accountNameField}, {"spec", "taskRunSpecs", AnyItem, accountNameField}},
	"triggers.tekton.dev":         {specAccount},
	argoGroup:                     {specAccount, {"spec", "template", accountNameField}, {"spec", "workflowSpec", accountNameField}, {"spec", "templates", AnyItem, accountNameField}},
	"external-secrets.io":         {{"spec", "provider", AnyItem, "auth", AnyItem, "serviceAccountRef"}},
}

var specAccount = manifest.Path{"spec", accountNameField}

// namesOwnNamespace reports whether the type of an object defines that a field names an account of the object's own namespace.
func namesOwnNamespace(o *Object, field manifest.Path) bool {
	return slices.ContainsFunc(accountFields[o.Group], func(known manifest.Path) bool {
		return slices.EqualFunc(known, field, func(step, other string) bool { return step == AnyItem || step == other })
	})
}
