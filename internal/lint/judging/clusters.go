package judging

import (
	"sync"

	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// clusters are those of the units, with the objects with which permissions are granted and used.
type clusters struct {
	find  func() *cluster.Clusters
	known sync.Map // scopes without pending units, by their cluster
}

func newClusters(find func() *cluster.Clusters) *clusters {
	return &clusters{find: find}
}

// of returns the clusters that get a unit and others.
func (c *clusters) of(u *objects.Unit) []*objects.Unit {
	var scopes []*objects.Unit
	all := c.find()
	for _, of := range all.Of(u) {
		known, ok := c.known.Load(of)
		if !ok {
			part, complete := all.Part(of, decides)
			if known = part; complete {
				known, _ = c.known.LoadOrStore(of, part)
			}
		}
		if scope := known.(*objects.Unit); scope != nil {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

func decides(o *objects.Object) bool {
	return o.Group == rbac.Group || o.Group == olm.APIGroup && o.Kind == olm.ClusterExtensionKind
}
