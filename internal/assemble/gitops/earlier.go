package gitops

// FollowsOn reports whether an application follows another one on the same cluster: a Kustomization or HelmRelease of Flux
// depends on it, directly or not, or both are Applications of one parent, for one cluster, and the other one has an earlier
// sync wave. Their objects then exist together, although an older revision of one may be there for a while.
func (r *Result) FollowsOn(later, earlier *Application) bool {
	if later == nil || earlier == nil || later == earlier || later.Tool != earlier.Tool {
		return false
	}
	if later.Tool == ArgoCD {
		parent := r.parent(later)
		return later.Object != earlier.Object && parent != nil && parent == r.parent(earlier) && waveOf(earlier) < waveOf(later)
	}
	always := func(*Application, Dependency, *Application) bool { return true }
	_, found := r.reaches(later, earlier, always)
	return found
}
