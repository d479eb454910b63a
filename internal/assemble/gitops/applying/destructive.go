package applying

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
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
func DestructiveOptions(a *gitops.Application, annotations, labels map[string]string) []DestructiveOption {
	var found []DestructiveOption
	switch a.Tool {
	case gitops.ArgoCD:
		own := gitops.ItemsOf(annotations[gitops.AnnotationOptions])
		for _, name := range []string{gitops.OptionForce, gitops.OptionReplace} {
			option := DestructiveOption{What: name, Force: name == gitops.OptionForce, Replace: name == gitops.OptionReplace}
			switch {
			case slices.Contains(own, name):
				option.ObjectPath = manifest.Path{"metadata", "annotations", gitops.AnnotationOptions}
				found = append(found, option)
			case name == gitops.OptionReplace && a.Replace.Value:
				option.Location = a.Replace.Location
				found = append(found, option)
			}
		}
	case gitops.FluxKustomize:
		own := DestructiveOption{What: gitops.AnnotationForce + ": enabled", Force: true}
		switch {
		case isEnabled(annotations[gitops.AnnotationForce]):
			own.ObjectPath = manifest.Path{"metadata", "annotations", gitops.AnnotationForce}
			found = append(found, own)
		case isEnabled(labels[gitops.AnnotationForce]):
			own.ObjectPath = manifest.Path{"metadata", "labels", gitops.AnnotationForce}
			found = append(found, own)
		case a.Force.Value:
			found = append(found, DestructiveOption{What: "force: true", Force: true, Location: a.Force.Location})
		}
	case gitops.FluxHelm:
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
