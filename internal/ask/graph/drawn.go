package graph

import (
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// StartsAt returns whether a graph starts at an object.
func StartsAt(o *objects.Object) bool {
	return access.IsBinding(o) || o.Kind == olm.ClusterExtensionKind || o.Kind == olm.ExtensionKind
}
