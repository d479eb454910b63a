package gitops

import (
	"slices"
	"strings"

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
	Place Place
	// ObjectPath is the path of the annotation or label of the object; nil if the option is part of the application.
	ObjectPath manifest.Path
}

// DestructiveOptions returns the options that apply to an object with these annotations and labels. In Argo CD, Force=true
// has an effect only on the object; in an Application it has none (controller/sync.go, gitops-engine's sync_context.go).
func (a *Application) DestructiveOptions(annotations, labels map[string]string) []DestructiveOption {
	var dangers []DestructiveOption
	switch a.Tool {
	case ArgoCD:
		own := syncOptions(annotations[annotationOptions])
		for _, option := range []string{optionForce, optionReplace} {
			danger := DestructiveOption{What: option, Force: option == optionForce, Replace: option == optionReplace}
			switch {
			case slices.Contains(own, option):
				danger.ObjectPath = manifest.Path{"metadata", "annotations", annotationOptions}
				dangers = append(dangers, danger)
			case option == optionReplace && a.Replace.Value:
				danger.Place = a.Replace.Place
				dangers = append(dangers, danger)
			}
		}
	case FluxKustomize:
		own := DestructiveOption{What: annotationForce + ": enabled", Force: true}
		switch {
		case isEnabled(annotations[annotationForce]):
			own.ObjectPath = manifest.Path{"metadata", "annotations", annotationForce}
			dangers = append(dangers, own)
		case isEnabled(labels[annotationForce]):
			own.ObjectPath = manifest.Path{"metadata", "labels", annotationForce}
			dangers = append(dangers, own)
		case a.Force.Value:
			dangers = append(dangers, DestructiveOption{What: "force: true", Force: true, Place: a.Force.Place})
		}
	case FluxHelm:
		if a.Replace.Value {
			dangers = append(dangers, DestructiveOption{What: "upgrade.force: true", Replace: true, Place: a.Replace.Place})
		}
		if a.Uninstall.Value {
			dangers = append(dangers, DestructiveOption{What: "upgrade.remediation.strategy: uninstall", Uninstall: true, Place: a.Uninstall.Place})
		}
	}
	return dangers
}

func isEnabled(value string) bool { return strings.EqualFold(value, "enabled") }
