package bundles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/kube/versionrange"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

// Needs are what a bundle needs of an identity, and the bundle.
type Needs struct {
	preflight.Result
	Content *content.Content
	// Notes are remarks about the objects of the bundle, one sentence each.
	Notes []string
}

// answerKey identifies the needs of a bundle. What is installed, and how, differs between targets.
type answerKey struct {
	unit      *objects.Unit
	extension *objects.Object
	user      string
	content   *content.Content
	runtime   olm.Runtime
}

// Preflight compares what the bundle needs with the permissions of the identity as which OLM acts, or of one that is to
// replace it. It is nil if OLM acts with its own account. The errors are those of Load and of preflight.Check, and a
// *MismatchError for a bundle that OLM would not install.
func (l *Library) Preflight(ctx context.Context, i *installer.Installer) (*Needs, error) {
	if i.Acting == installer.AsOwnAccount {
		return nil, nil
	}
	loaded, err := l.Load(ctx, i)
	if err != nil {
		return nil, err
	}
	if err := l.match(i, loaded); err != nil {
		return nil, err
	}
	unit, from := i.Grants()
	return l.answers.get(answerKey{i.Unit, i.From, i.Identity.User, loaded, i.Runtime}, func() (*Needs, error) {
		resources, err := l.resources(ctx, i.Unit, loaded.Objects)
		if err != nil {
			return nil, err
		}
		needs := &Needs{Content: loaded}
		needs.Result, err = preflight.Check(preflight.Input{
			Objects: loaded.Objects, Extension: i.Extension, Namespace: i.Namespace, Identity: i.Identity,
			Unit: unit, From: from, Resources: resources,
			CollectionVerbs: preflight.CollectionVerbs(i.Runtime), Finalizers: owner(i), Escalation: preflight.Hold,
			Note: func(text string) { needs.Notes = append(needs.Notes, text) },
		})
		return needs, err
	})
}

// MismatchError reports that a bundle is not the one that its extension requests.
type MismatchError struct {
	Place, Dir string
	// What is "package" or "version".
	What, Bundle, Extension string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: the bundle in %s has the %s %s, but the extension requests %s. Set the right folder",
		e.Place, e.Dir, e.What, e.Bundle, e.Extension)
}

// match compares the package and version of a bundle with those that the extension requests, if both are set.
func (l *Library) match(i *installer.Installer, c *content.Content) error {
	if i.From == nil {
		return nil
	}
	extension, _ := olm.ReadExtension(i.From.Node)
	if wanted := Requested(extension, c); wanted.Other() {
		source := l.Sources[i.Extension]
		return &MismatchError{source.Place, source.Dir, wanted.What, wanted.Bundle, wanted.Extension}
	}
	return nil
}

// Request is what an extension requests and its bundle is not; the zero value if they match, as far as both are set.
type Request struct{ What, Bundle, Extension string }

// Other reports whether the bundle is another one than the extension requests.
func (r Request) Other() bool { return r.What != "" }

// Requested compares the package and the version of a bundle with those that an extension requests.
func Requested(extension olm.Extension, c *content.Content) Request {
	if asked := extension.Package; asked != "" && c.Package != "" && asked != c.Package && !rbac.Templated(asked) {
		return Request{"package", c.Package, asked}
	}
	if c.Version == "" || extension.Version == "" || extension.VersionProblem != "" {
		return Request{}
	}
	if allowed, known := versionrange.Allows(extension.Version, c.Version); !known || allowed {
		return Request{}
	}
	asked := extension.Version
	if version, pinned := extension.Pinned(); pinned {
		asked = version
	}
	return Request{"version", c.Version, asked}
}

// Refusals returns why OLM does not install the bundle for the extension: obstacles of its release, another package or version than the
// extension requests, and changes of definitions since the base revision, with what of them is open. The errors are those of LoadAnyway, and of
// reading the base.
func (l *Library) Refusals(ctx context.Context, i *installer.Installer) (found []bundlesupport.Obstacle, open []string, err error) {
	loaded, err := l.LoadAnyway(ctx, i)
	if err != nil || i.From == nil {
		return nil, nil, err
	}
	found = slices.Clone(loaded.Obstacles)
	extension, _ := olm.ReadExtension(i.From.Node)
	if wanted := Requested(extension, loaded); wanted.Other() {
		found = append(found, bundlesupport.Obstacle{
			Reason: fmt.Sprintf("the extension requests %s %s, and the bundle is %s", wanted.What, wanted.Extension, wanted.Bundle),
			Remedy: "set the right folder in `bundles:`, or correct the extension",
		})
	}
	if l.Base == nil {
		return found, nil, nil
	}
	old, err := l.loadBase(ctx, i)
	if err != nil || old == nil {
		return found, nil, err
	}
	changes := crdsafety.Check(i.Support(), i.Runtime.Name, old.Objects, loaded.Objects)
	if !i.ChecksDefinitions() {
		changes = changes.WithoutCheck()
	}
	for _, definition := range changes.Deleted {
		found = append(found, bundlesupport.Obstacle{Reason: crdsafety.Deletion(definition), Remedy: "use another version if those objects are needed", Installs: true})
	}
	for _, b := range changes.Blocked {
		found = append(found, bundlesupport.Obstacle{
			Reason: fmt.Sprintf("it blocks the upgrade from %s, which changes %s", old.Name, b),
			Remedy: b.Remedy(),
		})
	}
	return found, changes.Open(i.Support().String()), nil
}

// owner returns the object whose finalizers are updated. Revisions of Boxcutter are numbered, so it can be any of them.
func owner(i *installer.Installer) preflight.Finalizers {
	owner := preflight.FinalizersOf(i.Runtime, i.Extension, 1)
	if owner.Name != i.Extension {
		owner.Name = ""
	}
	return owner
}

// resources returns the kinds of objects. Definitions in the repository are read only for unknown kinds: most bundles need
// none, and definitions are long.
func (l *Library) resources(ctx context.Context, unit *objects.Unit, sets ...[]rendered.Object) (*restmap.Map, error) {
	resources := preflight.ResourcesOf(unit, sets...)
	var unknown []string
	for _, o := range slices.Concat(sets...) {
		if _, known := resources.Kind(o.Group(), o.Kind()); !known && o.Kind() != "" {
			unknown = append(unknown, o.Kind())
		}
	}
	if len(unknown) == 0 || l.Define == nil {
		return resources, nil
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	definitions, err := l.defined.get(strings.Join(unknown, "\x00"), func() ([]map[string]any, error) { return l.Define(ctx, unknown) })
	for _, definition := range definitions {
		resources.AddCRD(definition)
	}
	return resources, err
}
