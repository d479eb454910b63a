package evalcontext

import (
	"context"
	"time"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// Former is what is known of the base revision.
type Former struct {
	// Of returns the manifest of an object of a unit, and the same object at the base revision; nil for both if it did not change, or if that
	// cannot be known.
	Of func(*objects.Unit, *objects.Object) (now, before *objects.Object)
	// Removed returns the manifests of a group and kind, with a namespace and a name unless they are empty, that are gone from the units.
	Removed func(units []*objects.Unit, group, kind, namespace, name string) []*objects.Object
}

// Context is the context in which an object is evaluated.
type Context struct {
	// Unit is the deployment unit in which the object is evaluated; Units are all units of the repository.
	Unit  *objects.Unit
	Units []*objects.Unit
	// Deferred are those of Units that are built when a rule asks about an object that they may hold. They are not evaluated.
	Deferred []*objects.Unit
	// Shared keeps answers about all units; nil computes them for each unit.
	Shared *Shared
	// NotAsked is true for an object that the user did not ask about: only findings about other objects count.
	NotAsked bool
	// Target is the release or model for which the unit is checked.
	Target olm.Target
	// TargetAsked is true if the user set the target, TargetKnown if it is set or detected; otherwise its model is unknown.
	TargetAsked, TargetKnown bool
	// DetectedFrom is the place of the deciding signal, file:line, or "".
	DetectedFrom string
	// Now is the current time for policies; the zero value is unknown.
	Now time.Time
	// Signals holds the signals of the unit for its target, each with the Ref of its object.
	Signals []olm.Signal
	// Mentions lists the places that name an account anywhere in the repository; nil if they are unknown. For the object that is
	// evaluated, if it is the account, places that mean another account of that name are left out.
	Mentions func(context.Context, objects.Account, *objects.Object) ([]uses.Place, error)
	// CreatedInTexts lists the places of texts, such as heredocs of scripts, that create an account; nil if they are unknown.
	CreatedInTexts func(context.Context, objects.Account) ([]objects.Position, error)
	// Unread returns the first file of which nothing was read, and why; "" if there is none. It is nil if that is unknown.
	Unread func() (place, why string)
	// GrantedElsewhere lists the places outside of the manifests that are read that can bind a role to an account; nil if they are unknown.
	GrantedElsewhere func(context.Context, objects.Account) ([]objects.Position, error)
	// Bundles are those of extensions, and Installer returns the installer of one; nil if there are none.
	Bundles   *bundles.Library
	Installer func(*objects.Unit, *objects.Object) (*installer.Installer, error)
	// Delivery holds the settings of Argo CD and Flux for the units; nil if there are none.
	Delivery *delivery.Delivery
	// Former knows the objects of the base revision; its functions can be nil.
	Former Former
	// Contents returns a unit with all of its objects, and not only those that rules need; nil if Unit and Units have all of them.
	Contents func(context.Context, *objects.Unit) (*objects.Unit, error)
	// PodSpecs are kinds that embed a pod, in addition to the known ones.
	PodSpecs []objects.PodSpecKind
	// NotChecked records an unchecked part of an object, with the reason and the files that cause it; it can be nil. It
	// must be safe for concurrent use.
	NotChecked func(o *objects.Object, reason string, causes []finding.Place)
}
