package cluster

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// Placement is an application, with the units that hold its object, and those that it applies.
type Placement struct {
	Application      *gitops.Application
	Holders, Applied []*objects.Unit
}

// Cluster is what one API server gets, as far as the repository shows it.
type Cluster struct {
	// ID identifies the cluster: its name in the settings, or the path of the root that nothing in the repository applies. A
	// cluster to which tools of another one apply has that one's ID, and the destination.
	ID string
	// Units are those of the cluster, in their order, without the unit of plain files. Folders are folders of plain files that belong to it.
	Units   []*objects.Unit
	Folders []string

	// root is the ID of the first of the clusters that lead to it.
	root string
	// labels are those that applications set on all objects of a unit.
	labels map[*objects.Unit]map[string]string
	// isNamed is true if the root has a name: that of the settings, of a folder clusters/NAME, or of a kustomization or application. Other
	// roots are folders of plain files, which can belong to one cluster.
	isNamed bool
	// hops is how many applications for another cluster lead to it.
	hops int
	// isUnknown is true if the destination is not known.
	isUnknown bool
}

// leadsTo separates a cluster's ID from the destination of an application in it.
const leadsTo = " → "

// Destination returns the part of a cluster's ID that applications set, which stays the same if the cluster to which they belong gets another name;
// "" for that cluster itself.
func Destination(id string) string {
	_, to, _ := strings.Cut(id, leadsTo)
	return to
}

// Clusters are the clusters of a repository.
type Clusters struct {
	// All are the clusters that the repository shows, in the order of the units that lead to them.
	All []*Cluster

	byUnit map[*objects.Unit][]*Cluster
	named  Names
	units  []*objects.Unit
	scopes func() []*objects.Unit
	rest   func() *objects.Unit // of the unit of plain files
}

// Of returns the clusters that get a unit; none if that is not known.
func (c *Clusters) Of(u *objects.Unit) []*Cluster { return c.byUnit[u] }

// Beside returns the other units that every cluster gets that gets a unit; none if one of its clusters is not known, or for plain files.
func (c *Clusters) Beside(u *objects.Unit) []*objects.Unit {
	of := c.byUnit[u]
	if len(of) == 0 || slices.ContainsFunc(of, func(c *Cluster) bool { return c.isUnknown }) {
		return nil
	}
	var beside []*objects.Unit
	for _, other := range of[0].Units {
		if other != u && !slices.ContainsFunc(of, func(c *Cluster) bool { return !slices.Contains(c.Units, other) }) {
			beside = append(beside, other)
		}
	}
	return beside
}

// Apart reports whether no cluster gets two units: the clusters of both are known, and each of the one is certainly another one than each of the other.
func (c *Clusters) Apart(u, other *objects.Unit) bool {
	for _, a := range c.byUnit[u] {
		for _, b := range c.byUnit[other] {
			if a == b || !a.isApart(b) {
				return false
			}
		}
	}
	return len(c.byUnit[u]) > 0 && len(c.byUnit[other]) > 0
}

// Names are the names of clusters by the paths of their roots, from the settings. A root can be that of several clusters.
type Names map[string][]string

// NamesOf returns the names of clusters for the paths of their roots.
func NamesOf(clusters map[string][]string) Names {
	names := Names{}
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		for _, root := range clusters[name] {
			names[path.Clean(root)] = append(names[path.Clean(root)], name)
		}
	}
	return names
}

// of returns the names of the clusters whose paths contain another path, those of the nearest one; none if there is none.
func (n Names) of(dir string) []string {
	for len(n) > 0 {
		if names := n[dir]; len(names) > 0 {
			return names
		}
		if dir == "." || dir == "/" {
			return nil
		}
		dir = path.Dir(dir)
	}
	return nil
}

// New returns the clusters to which the placements lead. Suspended applications place nothing.
func New(units []*objects.Unit, placements []Placement, names Names) *Clusters {
	f := &finder{
		clusters: &Clusters{byUnit: map[*objects.Unit][]*Cluster{}, named: names, units: units},
		byID:     map[string]*Cluster{}, heldBy: map[place][]Placement{}, placed: map[placed]bool{},
	}
	f.index(placements)
	f.putNamed()
	for _, at := range f.places {
		if !f.isApplied[at.unit] {
			f.putRoot(at)
		}
	}
	for _, at := range f.places { // applications that apply each other
		if at.unit != nil && len(f.clusters.byUnit[at.unit]) == 0 {
			f.putRoot(at)
		}
	}
	for _, c := range f.clusters.All {
		slices.SortFunc(c.Units, func(a, b *objects.Unit) int { return cmp.Compare(f.order[a], f.order[b]) })
	}
	f.clusters.scopes = sync.OnceValue(f.clusters.join)
	f.clusters.rest = sync.OnceValue(func() *objects.Unit { return f.clusters.without(f.clusters.plain()) })
	return f.clusters
}

// place is where the object of an application is: in a unit, or in a folder of plain files.
type place struct {
	unit   *objects.Unit
	folder string
}

type placed struct {
	cluster *Cluster
	at      place
}

// finder follows the applications from the roots.
type finder struct {
	clusters *Clusters
	byID     map[string]*Cluster
	// heldBy are the placements by the place of their application; places are its keys, in their order.
	heldBy map[place][]Placement
	places []place
	// isApplied are the units that an application in another place applies.
	isApplied map[*objects.Unit]bool
	order     map[*objects.Unit]int
	// embedded are the units of what objects of a unit hold, if it is applied to the cluster of that unit.
	embedded map[*objects.Unit][]*objects.Unit
	placed   map[placed]bool
}

func (f *finder) index(placements []Placement) {
	f.isApplied, f.order, f.embedded = map[*objects.Unit]bool{nil: false}, map[*objects.Unit]int{}, map[*objects.Unit][]*objects.Unit{}
	for i, u := range f.clusters.units {
		f.order[u] = i
		if u.Kind == objects.EmbeddedUnit && u.Parent != nil && u.SameCluster() {
			f.embedded[u.Parent] = append(f.embedded[u.Parent], u)
		}
	}
	for _, p := range placements {
		for _, holder := range p.Holders {
			at := place{unit: holder}
			if holder.Kind == objects.PlainUnit {
				at = place{folder: path.Dir(p.Application.Object.File)}
			}
			if f.heldBy[at] == nil {
				f.places = append(f.places, at)
			}
			f.heldBy[at] = append(f.heldBy[at], p)
			for _, u := range p.Applied {
				if u != holder {
					f.isApplied[u] = true
				}
			}
		}
	}
}

// putNamed places what the settings name.
func (f *finder) putNamed() {
	for _, root := range slices.Sorted(maps.Keys(f.clusters.named)) {
		for _, name := range f.clusters.named[root] {
			f.putPlace(f.cluster(name, true), place{folder: root})
		}
	}
	for _, u := range f.clusters.units {
		for _, name := range f.clusters.named.of(u.Root) {
			f.put(f.cluster(name, true), u)
		}
	}
}

// putRoot places a root in its clusters.
func (f *finder) putRoot(at place) {
	root, isNamed := at.folder, false
	if at.unit != nil {
		root, isNamed = at.unit.Root, true
	}
	names := f.clusters.named.of(root)
	for _, name := range names {
		f.putPlace(f.cluster(name, true), at)
	}
	switch folder := FolderOf(root); {
	case len(names) > 0:
	case folder != "":
		f.putPlace(f.cluster(folder, true), at)
	default:
		f.putPlace(f.cluster(root, isNamed), at)
	}
}

// FolderOf returns the folder clusters/NAME that a path is in; "" if it is in none.
func FolderOf(dir string) string {
	parts := strings.Split(dir, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if parts[i] == "clusters" {
			return path.Join(parts[:i+2]...)
		}
	}
	return ""
}

func (f *finder) cluster(id string, isNamed bool) *Cluster {
	c := f.byID[id]
	if c == nil {
		c = &Cluster{ID: id, root: id, isNamed: isNamed}
		f.byID[id] = c
		f.clusters.All = append(f.clusters.All, c)
	}
	c.isNamed = c.isNamed || isNamed
	return c
}

// maxHops is how many times an application leads from one cluster to another, and maxPlaced how many units clusters have, each counted in each
// cluster. Applications can apply themselves to other clusters, without end.
const (
	maxHops   = 3
	maxPlaced = 20000
)

// destination returns the cluster to which an application in a cluster applies. Instances of Argo CD to which one root leads are taken to know a
// cluster by the same name or address. A kubeConfig of Flux is a Secret of its cluster, so what it leads to can be another cluster each time; after
// maxHops, it is unknown.
func (f *finder) destination(from *Cluster, a *gitops.Application) *Cluster {
	if a.OwnCluster() || from.hops == maxHops {
		return from
	}
	if len(f.placed) >= maxPlaced {
		from.isUnknown = true
		return from
	}
	to, isKnown := a.Destination()
	id, hops := from.ID, from.hops+1
	if a.Tool == gitops.ArgoCD {
		id, hops = from.root, 1
	}
	c := f.cluster(id+leadsTo+to, from.isNamed)
	c.root, c.hops = from.root, hops
	c.isUnknown = !isKnown || c.hops == maxHops
	return c
}

func (f *finder) putPlace(c *Cluster, at place) {
	if at.unit != nil {
		f.put(c, at.unit)
		return
	}
	if key := (placed{c, at}); !f.placed[key] {
		f.placed[key] = true
		c.Folders = append(c.Folders, at.folder)
		f.follow(c, at)
	}
}

func (f *finder) put(c *Cluster, u *objects.Unit) {
	at := place{unit: u}
	if key := (placed{c, at}); !f.placed[key] && u.Kind != objects.PlainUnit {
		f.placed[key] = true
		c.Units = append(c.Units, u)
		f.clusters.byUnit[u] = append(f.clusters.byUnit[u], c)
		f.follow(c, at)
		for _, held := range f.embedded[u] {
			f.put(c, held)
		}
	}
}

func (c *Cluster) setLabels(u *objects.Unit, labels map[string]string) {
	if c.labels == nil {
		c.labels = map[*objects.Unit]map[string]string{}
	}
	c.labels[u] = labels
}

// follow places what the applications in a place apply.
func (f *finder) follow(c *Cluster, at place) {
	for _, p := range f.heldBy[at] {
		if p.Application.Suspended.Value {
			continue
		}
		to := f.destination(c, p.Application)
		labels := p.Application.CommonLabels()
		for _, u := range p.Applied {
			if len(labels) > 0 {
				to.setLabels(u, labels)
			}
			if names := f.clusters.named.of(u.Root); len(names) == 0 || slices.Contains(names, to.ID) { // the settings decide first
				f.put(to, u)
			}
		}
	}
}
