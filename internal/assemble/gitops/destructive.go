package gitops

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Danger is a way in which applying an object may delete it.
type DestructiveOption struct {
	// What is the option, as it is written.
	What string
	// Force tells that a refused change becomes delete-and-create; Replace that the object is replaced, and Uninstall that
	// a failed upgrade is undone by deleting what it applied.
	Force, Replace, Uninstall bool
	// Place is where the application says so; none where the object itself does.
	Place Place
	// Own leads to the annotation or label of the object that says so; nil where the application does.
	ObjectPath manifest.Path
}

// Dangers tells how an application may delete an object with these annotations and labels. In Argo CD, Force=true counts on the object
// alone: among the options of an Application it does nothing (controller/sync.go, gitops-engine's sync_context.go).
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
