package applications

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// isUnrestricted reports whether an application builds kustomizations that read files outside of their folders, in the whole source.
// Flux does; `kustomize build` and Argo CD refuse unless they are told otherwise.
func (p *plan) isUnrestricted(a *gitops.Application) bool {
	return p.result.BuildOptions(a).Unrestricted
}

// liftRestrictions lets the unchanged kustomizations that only such applications build read files outside of their folders. If a script, another
// Argo CD, or an application with unknown clusters builds one as well, the stricter build counts for all.
func (p *plan) liftRestrictions() {
	onlyLifted := map[string]bool{}
	for _, d := range p.planned {
		for _, part := range d.parts {
			if part.unit == nil || part.edit != nil {
				continue
			}
			others, there := onlyLifted[part.unit.Root]
			onlyLifted[part.unit.Root] = p.isUnrestricted(d.app) && (others || !there)
		}
	}
	for dir, only := range onlyLifted {
		onlyLifted[dir] = only && !p.unchanged[dir] && !(leavesFolders(p.roots[dir].unit) && p.isScripted(dir))
	}
	for dir, d := range p.roots {
		d.unrestricted = onlyLifted[dir]
		p.roots[dir] = d
	}
	for _, d := range p.planned {
		for i := range d.parts {
			if part := &d.parts[i]; part.unit != nil && part.edit == nil {
				part.unrestricted = onlyLifted[part.unit.Root]
			}
		}
	}
}

// leavesFolders reports whether a kustomization of a unit may name a file outside of its folder. Without one it does not matter who
// builds it, and the texts of the repository need not be read.
func leavesFolders(u *objects.Unit) bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return bytes.Contains(k.Doc.Bytes(), []byte("..")) })
}

func (p *plan) isScripted(dir string) bool {
	return p.Scripted != nil && p.Scripted(p.ctx, p.Builder, dir)
}
