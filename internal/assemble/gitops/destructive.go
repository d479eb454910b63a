package gitops

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
)

// DestructiveOption is an option that can cause an object to be deleted when it is applied.
type DestructiveOption struct {
	// What is the option as it is written.
	What string
	// Force deletes and creates the object when a change is rejected, Replace replaces it, and Uninstall answers a failed
	// upgrade by deleting what it applied.
	Force, Replace, Uninstall bool
	// Location is the field of the application; it is zero if the option is part of the object itself.
	Location view.Location
	// ObjectPath is the path of the annotation or label of the object; nil if the option is part of the application.
	ObjectPath manifest.Path
}

// DestructiveOptions returns the options that apply to an object with these annotations and labels. In Argo CD, Force=true
// has an effect only on the object; in an Application it has none (controller/sync.go, gitops-engine's sync_context.go).
func (a *Application) DestructiveOptions(annotations, labels map[string]string) []DestructiveOption {
	var found []DestructiveOption
	switch a.Tool {
	case ArgoCD:
		own := itemsOf(annotations[annotationOptions])
		for _, name := range []string{optionForce, optionReplace} {
			option := DestructiveOption{What: name, Force: name == optionForce, Replace: name == optionReplace}
			switch {
			case slices.Contains(own, name):
				option.ObjectPath = manifest.Path{"metadata", "annotations", annotationOptions}
				found = append(found, option)
			case name == optionReplace && a.Replace.Value:
				option.Location = a.Replace.Location
				found = append(found, option)
			}
		}
	case FluxKustomize:
		own := DestructiveOption{What: annotationForce + ": enabled", Force: true}
		switch {
		case isEnabled(annotations[annotationForce]):
			own.ObjectPath = manifest.Path{"metadata", "annotations", annotationForce}
			found = append(found, own)
		case isEnabled(labels[annotationForce]):
			own.ObjectPath = manifest.Path{"metadata", "labels", annotationForce}
			found = append(found, own)
		case a.Force.Value:
			found = append(found, DestructiveOption{What: "force: true", Force: true, Location: a.Force.Location})
		}
	case FluxHelm:
		if a.Replace.Value {
			found = append(found, DestructiveOption{What: "upgrade.force: true", Replace: true, Location: a.Replace.Location})
		}
		if a.Uninstall.Value {
			found = append(found, DestructiveOption{What: "upgrade.remediation.strategy: uninstall", Uninstall: true, Location: a.Uninstall.Location})
		}
	}
	return found
}

func isEnabled(value string) bool { return strings.EqualFold(value, "enabled") }
