package judging

import (
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// clusters are those of the units, with the objects with which permissions are granted and used.
type clusters struct {
	find  func() *cluster.Clusters
	known sync.Map // scopes without pending units, by their cluster, and what is left of the plain files, by their unit
}

func newClusters(find func() *cluster.Clusters) *clusters {
	return &clusters{find: find}
}

// of returns where names of an object of a unit resolve: in the clusters that get the unit and others, or, for a plain file, in those of its folder.
func (c *clusters) of(u *objects.Unit, o *objects.Object) []*objects.Unit {
	all := c.find()
	if u.Kind == objects.PlainUnit && o != nil {
		return c.ofPlain(all, u, path.Dir(o.File))
	}
	return c.parts(all, all.Of(u))
}

// names returns the names of the clusters that get a unit, sorted. Without an application that applies the unit, its folder clusters/NAME is one.
func (c *clusters) names(u *objects.Unit) []string {
	if folder := cluster.FolderOf(u.Root); folder != "" && len(c.find().Of(u)) == 0 {
		return []string{folder}
	}
	var names []string
	for _, of := range c.find().Of(u) {
		names = append(names, of.ID)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ofPlain returns the clusters of a folder of plain files; of one that belongs to none with a name, the plain files without those of clusters.
func (c *clusters) ofPlain(all *cluster.Clusters, plain *objects.Unit, folder string) []*objects.Unit {
	if of := all.OfFolder(folder); len(of) > 0 {
		return c.parts(all, of)
	}
	rest, ok := c.known.Load(plain)
	if !ok {
		rest, _ = c.known.LoadOrStore(plain, all.Rest(plain))
	}
	return []*objects.Unit{rest.(*objects.Unit)}
}

func (c *clusters) parts(all *cluster.Clusters, some []*cluster.Cluster) []*objects.Unit {
	var scopes []*objects.Unit
	for _, of := range some {
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
