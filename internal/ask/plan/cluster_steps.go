package plan

import "github.com/salint/salint/internal/kube/olm"

// cluster adds the step that changes the cluster itself. Without a later release there is none.
func (p *planner) cluster(from, to olm.Target) {
	if from.Name == to.Name {
		return
	}
	own := p.ownAccounts(to)
	s := Step{Extensions: labels(p.extensions), Effects: p.effects(from, to), Why: whatChanges(from, to, len(p.set), own), Brief: whatChangesBriefly(from, to, own)}
	switch back, ok := (olm.Step{From: from, To: to}).Downgrade(); {
	case from.TechPreview():
		s.Do, s.Title = "install", "Install a new cluster with "+to.Name+", and apply the repository to it"
		s.Brief = "TechPreviewNoUpgrade cannot be turned off again, and a cluster with it cannot be updated to another minor release."
		s.Why = s.Brief + " " + s.Why
	case to.TechPreview():
		s.Do, s.Title = "upgrade", "Turn on the feature set TechPreviewNoUpgrade on a disposable cluster"
		s.Brief = "It cannot be turned off again, and it prevents updates to other minor releases."
		s.Why = s.Brief + " " + s.Why
	case ok && back:
		s.Do, s.Title = "downgrade", "Downgrade "+release(to, "to")
		if to.OpenShift() {
			s.Brief += " OpenShift supports only updates to newer releases."
			s.Why += " OpenShift supports only updates to newer releases (OpenShift documentation, Introduction to OpenShift updates). The order of the steps is still correct " +
				"for an unsupported downgrade, and for a repository that is applied to an older cluster."
		}
	default:
		s.Do, s.Title = "upgrade", "Upgrade "+release(to, "to")
	}
	p.add(s)
}

// whatChangesBriefly returns the effect that the user must know before the cluster changes.
func whatChangesBriefly(from, to olm.Target, own string) string {
	switch {
	case from.Model == to.Model:
		return "Nothing changes for spec.serviceAccount."
	case to.Model == olm.Ignored && from.Model == olm.Removed:
		return "The manifests need no change."
	case to.Model == olm.Ignored:
		return "From this step on, OLM acts as " + own + ". A field that is required cannot be removed before."
	case to.Model == olm.Removed:
		return "The field is gone from the API."
	case to.Model == olm.Synthetic:
		return "The field becomes optional."
	default:
		return "The field becomes required, and OLM acts as the accounts again."
	}
}

// release returns what changes to a target: the cluster, or OLM on it.
func release(t olm.Target, to string) string {
	switch {
	case t.OpenShift():
		return "the cluster " + to + " " + t.Name
	case t.Name == string(t.Model):
		return "OLM " + to + " a release with the model " + t.Name
	}
	return "OLM " + to + " " + t.Name
}

// on returns a target as part of a sentence.
func on(t olm.Target) string {
	if t.Name == string(t.Model) {
		return "under the model " + t.Name
	}
	return "on " + t.Name
}

// ownAccounts names OLM's own account for the extensions of a transition: as a cluster-admin only if it is one for all of them.
func (p *planner) ownAccounts(to olm.Target) string {
	own := clusterAdminAccount
	for _, e := range p.extensions {
		if named := p.ownAccount(e, to); named != own {
			return named
		}
	}
	return own
}

// whatChanges returns the effect of the cluster's change on extensions that set the field, or on all; own names OLM's own
// account.
func whatChanges(from, to olm.Target, set int, own string) string {
	switch {
	case from.Model == to.Model:
		return "Both treat spec.serviceAccount the same way: nothing changes for extensions."
	case to.Model == olm.Ignored && from.Model == olm.Removed:
		return "The field exists again, without effect: the manifests need no change."
	case to.Model == olm.Ignored && set > 0:
		return "From this step on, OLM acts as " + own + ", and warns about each extension that sets the field. " +
			"Where the field is required, it cannot be removed before this step: the API server would reject the manifest."
	case to.Model == olm.Ignored:
		return "From this step on, OLM acts as " + own + "."
	case to.Model == olm.Removed:
		return "The field is gone from the API: kubectl and server-side apply reject a manifest that still sets it; other clients drop the field silently."
	case to.Model == olm.Synthetic:
		return "From this step on, the field is optional: OLM acts as the account that an extension names, or without one impersonates its synthetic identity."
	default:
		return "From this step on, the field is required: the API server rejects a new extension without it, and every change of an existing one's spec, such as its version. " +
			"OLM has no account to act as for such an extension, so it is neither upgraded nor repaired."
	}
}
