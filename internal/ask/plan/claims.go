package plan

import (
	"slices"

	"github.com/salint/salint/internal/kube/olm"
)

// The two proposals whose schedules are targets, by their titles, and what else is cited.
const (
	deprecation = `OpenShift proposal "Service Account Field Deprecation" (October 2025), Upgrade / Downgrade Strategy`
	optional    = `OpenShift proposal "Make ServiceAccount Field Optional in the ClusterExtension API" (November 2025), Upgrade / Downgrade Strategy`

	previewDocs  = "OpenShift documentation, Enabling features using FeatureGates"
	pruningDocs  = "Kubernetes documentation, CustomResourceDefinitions, field pruning; KEP-2332"
	requiredCode = "operator-controller v1.10.0, api/v1/clusterextension_types.go (required) and internal/operator-controller/controllers (the account is looked up before anything is applied)"
	ignoredCode  = "operator-controller v1.11.0, api/v1/clusterextension_types.go (ignored), and its ClusterRoleBinding to cluster-admin"
	branches     = "the CRD in all branches of openshift/operator-framework-operator-controller, release-4.18 to release-5.1, June and July 2026"
)

// claim is a Claim and the ways that it is about.
type claim struct {
	about func(from, to olm.Target) bool
	Claim
}

// claims are what the proposals say of ways between targets that should not be followed as it stands.
var claims = []claim{
	{backFromIgnored, Claim{
		Says: "Going back from 4.22 to 4.21 or 4.20 is safe, for the field is still in the API.", Where: deprecation,
		Fact: "From 4.22 to 4.21 it is. 4.20 requires the field: where it was removed meanwhile, the API server rejects whatever changes the spec of the extension, " +
			"and OLM has no account that it could act as, so it is neither upgraded nor repaired. Every extension needs an account first, with its bindings: 4.20 acts as the accounts again.",
		Source: requiredCode,
	}},
	{backFromRemoved, Claim{
		Says: "Before going back from 4.23, all usage of the field has to be removed.", Where: deprecation,
		Fact: "There is no usage that could be removed: 4.23 has no such field. What is missing on an older release is the opposite. On 4.21 and 4.22 nothing is needed; " +
			"4.20 requires the field in every extension, and as 4.23 does not take it, it is added on 4.22 or 4.21. What etcd still holds of the field from before is visible again there, until the object is next written.",
		Source: pruningDocs,
	}},
	{toRemoved, Claim{
		Says: "Manifests that include the field are rejected during validation.", Where: deprecation,
		Fact: "By kubectl, unless it is told not to validate, and by server-side apply. Other clients have the field dropped without a word, so that nobody notices. " +
			"A GitOps tool that is refused stops syncing the extension, upgrades of its version included.",
		Source: pruningDocs,
	}},
	{fromHonouredToIgnored, Claim{
		Says: "Whoever relied on impersonation has to make sure that the controller's account has the permissions it needs.", Where: deprecation,
		Fact: "It lacks none, for it is a cluster-admin. What is lost is the limit: whoever may create or change ClusterExtensions is a cluster-admin in effect, " +
			"whatever the accounts of the extensions may do. `salint rules olm/extension-write-access` says what limits them again.",
		Source: ignoredCode,
	}},
	{toPreview, Claim{
		Says: "Upgrading to the technology preview asks nothing of users.", Where: optional,
		Fact:   "Extensions with an account go on as they are. But TechPreviewNoUpgrade cannot be turned off again, and a cluster with it gets no further minor releases.",
		Source: previewDocs,
	}},
	{fromPreview, Claim{
		Says: "Before downgrading from the technology preview, extensions without an account must be given one.", Where: optional,
		Fact: "They must, where the field is required; but the cluster itself cannot go back: TechPreviewNoUpgrade stays on. The way out is a new installation, " +
			"and the manifests have to be right for that one before they are applied there.",
		Source: previewDocs,
	}},
	{proposedSchedule, Claim{
		Says: "4.21 makes the field optional and ignores it, 4.23 removes it.", Where: deprecation,
		Fact:   "No release of OpenShift does so yet: all of them require the field. Plan by the release that you have; the CRD on the cluster tells.",
		Source: branches,
	}},
}

// Said is a claim and the ways that it is about.
type Said struct {
	Claim
	Ways []string
}

// Claims lists what the proposals say about the ways of the plan that is not safe to follow, each claim once.
func (p *Plan) Claims() []Said {
	var all []Said
	for _, way := range p.Transitions {
		for _, c := range way.Claims {
			i := slices.IndexFunc(all, func(s Said) bool { return s.Claim == c })
			if i < 0 {
				i, all = len(all), append(all, Said{Claim: c})
			}
			all[i].Ways = append(all[i].Ways, title(way))
		}
	}
	return all
}

func claimsAbout(from, to olm.Target) []Claim {
	var found []Claim
	for _, c := range claims {
		if c.about(from, to) {
			found = append(found, c.Claim)
		}
	}
	return found
}

// onSchedule tells whether both ends are releases of OpenShift, and the proposed schedule is at one of them.
func onSchedule(from, to olm.Target) bool {
	proposed := from.Proposed && !from.TechPreview() || to.Proposed && !to.TechPreview()
	return proposed && from.OpenShift() && to.OpenShift()
}

func isBack(from, to olm.Target) bool {
	back, ok := (olm.Step{From: from, To: to}).Downgrade()
	return ok && back
}

func backFromIgnored(from, to olm.Target) bool {
	return onSchedule(from, to) && from.Model == olm.Ignored && to.Model == olm.Required
}

func backFromRemoved(from, to olm.Target) bool {
	return onSchedule(from, to) && from.Model == olm.Removed && to.Model != olm.Removed
}

func toRemoved(from, to olm.Target) bool {
	return onSchedule(from, to) && from.Model != olm.Removed && to.Model == olm.Removed
}

func fromHonouredToIgnored(from, to olm.Target) bool {
	honoured := from.Model == olm.Required || from.Model == olm.Synthetic
	return onSchedule(from, to) && honoured && (to.Model == olm.Ignored || to.Model == olm.Removed)
}

func toPreview(from, to olm.Target) bool { return to.TechPreview() && !from.TechPreview() }

func fromPreview(from, to olm.Target) bool { return from.TechPreview() && !to.TechPreview() }

func proposedSchedule(from, to olm.Target) bool {
	return onSchedule(from, to) && !to.TechPreview() && from.Model != to.Model && !isBack(from, to)
}
