package delivery

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// Around returns what else is certainly on the cluster of a unit: the other units that applications join with it. Of plain files, those in
// the folders of these applications are in a separate unit. The files of the plain unit itself can belong to several clusters, so nothing
// is around it.
func (d *Delivery) Around(u *objects.Unit) []*objects.Unit {
	if d == nil || u.Kind == objects.PlainUnit {
		return nil
	}
	members := d.members()
	group := members.of(u)
	around := slices.DeleteFunc(slices.Clone(members.units[group]), func(other *objects.Unit) bool { return other == u })
	return append(around, members.plain[group]...)
}

// members are the units by the unit that stands for their group, and for each group a unit of plain files.
type members struct {
	groups map[*objects.Unit]*objects.Unit
	units  map[*objects.Unit][]*objects.Unit
	plain  map[*objects.Unit][]*objects.Unit
}

// of returns the unit that stands for the group of a unit.
func (m *members) of(u *objects.Unit) *objects.Unit {
	if top := m.groups[u]; top != nil {
		return top
	}
	return u
}

func (d *Delivery) indexMembers() *members {
	m := &members{groups: d.groups(), units: map[*objects.Unit][]*objects.Unit{}, plain: map[*objects.Unit][]*objects.Unit{}}
	var plain *objects.Unit
	for _, unit := range d.units() {
		if unit.Kind == objects.PlainUnit {
			plain = unit
			continue
		}
		group := m.of(unit)
		m.units[group] = append(m.units[group], unit)
	}
	if plain == nil {
		return m
	}
	for group, folders := range d.plainFolders(m, plain) {
		near := slices.DeleteFunc(slices.Clone(plain.Objects), func(o *objects.Object) bool { return !isIn(path.Dir(o.File), folders) })
		m.plain[group] = []*objects.Unit{{Name: plain.Name, Root: plain.Root, Kind: plain.Kind, Kubernetes: plain.Kubernetes, Objects: near}}
	}
	return m
}

// plainFolders returns the folders of the plain files with applications that apply a unit of a group to their own cluster.
func (d *Delivery) plainFolders(m *members, plain *objects.Unit) map[*objects.Unit][]string {
	found := map[*objects.Unit][]string{}
	for _, a := range d.result().Applications {
		if !a.OwnCluster() || !slices.Contains(d.holders()[a.Object], plain) {
			continue
		}
		for _, unit := range d.appliedBy(a) {
			group, folder := m.of(unit), path.Dir(a.Object.File)
			if !slices.Contains(found[group], folder) {
				found[group] = append(found[group], folder)
			}
		}
	}
	return found
}

// appliedBy returns the units that an application applies.
func (d *Delivery) appliedBy(a *gitops.Application) []*objects.Unit {
	var units []*objects.Unit
	for _, applied := range d.applied()[a.Object] {
		if applied.application == a {
			units = append(units, applied.unit)
		}
	}
	return units
}

// isIn reports whether a folder is one of some folders or below one. What is below the top of the repository can be of any cluster.
func isIn(folder string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return folder == f || f != "." && strings.HasPrefix(folder, f+"/") })
}
