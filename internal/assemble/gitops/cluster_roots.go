package gitops

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// clusterRoots returns the folders that are certainly of different clusters, inner ones first: several objects Kustomization have one name,
// and each is in the folder that it applies, as `flux bootstrap` writes them.
func (r *reader) clusterRoots(objs []*objects.Object) []string {
	folders := map[string][]string{}
	for _, o := range objs {
		if !isKind(o, kustomizeGroup, kindKustomization) {
			continue
		}
		own := r.memberOf(o.File).Dir
		dir, inside := inRepository(own, view.Of(o).Get("spec").Get("path").String())
		if _, holds := sources.Below(dir, o.File); inside && dir != own && holds {
			name := o.Namespace + "/" + o.Name
			folders[name] = append(folders[name], dir)
		}
	}
	var roots []string
	for _, dirs := range folders {
		slices.Sort(dirs)
		if dirs = slices.Compact(dirs); len(dirs) > 1 {
			roots = append(roots, dirs...)
		}
	}
	slices.SortFunc(roots, func(a, b string) int { return strings.Compare(b, a) })
	return slices.Compact(roots)
}

// clusterOf returns the folder of the cluster to which a file belongs; "" if it can belong to several.
func (r *reader) clusterOf(file string) string {
	for _, root := range r.roots {
		if _, in := sources.Below(root, file); in {
			return root
		}
	}
	return ""
}

// clusterIn returns the folder of the cluster to which an object belongs: that of its file, otherwise that of the unit that applies it, which can be nil.
func (r *reader) clusterIn(o *objects.Object, unit *objects.Unit) string {
	if root := r.clusterOf(o.File); root != "" || unit == nil {
		return root
	}
	return r.clusterOf(path.Join(unit.Root, "kustomization.yaml"))
}

// isElsewhere reports whether an object is in the folder of another cluster.
func (r *reader) isElsewhere(o *objects.Object, root string) bool {
	of := r.clusterOf(o.File)
	return root != "" && of != "" && of != root
}
