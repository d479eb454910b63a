package proposals

import (
	"github.com/salint/salint/internal/kube/olm"
)

// The titles of the two closed proposals whose schedules are targets, of the accepted one, and other sources.
const (
	deprecation = `OpenShift proposal "Service Account Field Deprecation" (October 2025), Upgrade / Downgrade Strategy`
	optional    = `OpenShift proposal "Make ServiceAccount Field Optional in the ClusterExtension API" (November 2025), Upgrade / Downgrade Strategy`

	previewDocs  = "OpenShift documentation, Enabling features using FeatureGates"
	pruningDocs  = "Kubernetes documentation, CustomResourceDefinitions, field pruning; KEP-2332"
	requiredCode = "operator-controller v1.10.0, api/v1/clusterextension_types.go (required) and internal/operator-controller/controllers (the account is looked up before anything is applied)"
	ignoredCode  = "operator-controller v1.11.0, api/v1/clusterextension_types.go (ignored), and its ClusterRoleBinding to cluster-admin"
	branches     = "the CRD in the branches release-4.18 to release-4.23 of openshift/operator-framework-operator-controller, June and July 2026; openshift/cluster-olm-operator #222"
	accepted     = `OpenShift proposal enhancements/olm/service-account-deprecation.md (openshift/enhancements #2054, accepted in July 2026)`
)

// Correction is a statement of a proposal that is wrong or unsafe, with the actual behavior.
type Correction struct {
	// Statement summarizes what the proposal states; Section is the section of the proposal.
	Statement, Section string
	// Fact is the actual behavior, Source the evidence for it.
	Fact, Source string
}

// correction is a Correction with the transitions that it applies to.
type correction struct {
	applies func(from, to olm.Target) bool
	// aboutAdmin is set if the fact is that OLM's own account is a cluster-admin.
	aboutAdmin bool
	Correction
}

// corrections are the statements of the proposals about transitions that are wrong or unsafe.
var corrections = []correction{
	{backFromIgnored, false, Correction{
		Statement: "Going back from 4.22 to 4.21 or 4.20 is safe, because the field is still in the API.", Section: deprecation,
		Fact: "This is true for 4.21. 4.20 requires the field: if it was removed in the meantime, the API server rejects every change of the extension's spec, " +
			"and OLM has no account to act as, so the extension is neither upgraded nor repaired. " +
			"First give every extension an account with bindings, because 4.20 acts as the accounts again.",
		Source: requiredCode,
	}},
	{backFromRemoved, false, Correction{
		Statement: "Before going back from 4.23, remove all usage of the field.", Section: deprecation,
		Fact: "There is no usage to remove: 4.23 has no such field. An older release needs the opposite. 4.21 and 4.22 need nothing; " +
			"4.20 requires the field in every extension. Because 4.23 does not accept it, add it on 4.22 or 4.21. " +
			"Values that etcd still stores from before are visible there again until the object is next written.",
		Source: pruningDocs,
	}},
	{toRemoved, false, Correction{
		Statement: "Manifests that include the field are rejected during validation.", Section: deprecation,
		Fact: "This is true for kubectl, unless its validation is turned off, and for server-side apply. Other clients drop the field silently. " +
			"A GitOps tool whose apply is rejected stops syncing the extension, including upgrades of its version.",
		Source: pruningDocs,
	}},
	{fromHonoredToIgnored, true, Correction{
		Statement: "Users who relied on impersonation must ensure that the controller's account has the permissions it needs.", Section: deprecation,
		Fact: "It lacks none, because it is a cluster-admin. What is lost is the limit: anyone who can create or change ClusterExtensions is effectively " +
			"cluster-admin, whatever the permissions of the extensions' accounts. `salint rules olm/extension-write-access` explains how to limit them again.",
		Source: ignoredCode,
	}},
	{toPreview, false, Correction{
		Statement: "Upgrading to the technology preview requires no action by users.", Section: optional,
		Fact:   "Extensions with an account keep working. But TechPreviewNoUpgrade cannot be turned off again, and a cluster with it gets no further minor releases.",
		Source: previewDocs,
	}},
	{fromPreview, false, Correction{
		Statement: "Before downgrading from the technology preview, give an account to extensions without one.", Section: optional,
		Fact: "They need one where the field is required. But the cluster itself cannot go back: TechPreviewNoUpgrade stays on. The alternative is a new installation, " +
			"and the manifests must be correct for it before they are applied there.",
		Source: previewDocs,
	}},
	{proposedSchedule, false, Correction{
		Statement: "4.21 makes the field optional and ignores it, 4.23 removes it.", Section: deprecation,
		Fact: "This proposal was closed. OpenShift 4.18 to 4.23 require the field, and 5.0 and later ignore it; no release removes it. " +
			"Plan for the release that you run; the CRD on the cluster shows which one it is.",
		Source: branches,
	}},
	{toAccepted, false, Correction{
		Statement: "The field becomes optional, deprecated, and ignored.", Section: accepted,
		Fact: "This is the accepted proposal; it names no release that removes the field. Two things are lost: the signal that a new version needs more permissions, " +
			"and the limits of each extension. The binding operator-controller-manager-rolebinding of the controller becomes " +
			"operator-controller-cluster-admin-rolebinding, because a roleRef is immutable: check what names the old one.",
		Source: "openshift/enhancements #2054; openshift/cluster-olm-operator #222",
	}},
}

// Corrections returns the corrections for a transition. If the repository limits OLM's own account, what a proposal says about its
// permissions is right.
func Corrections(from, to olm.Target, limited bool) []Correction {
	var found []Correction
	for _, c := range corrections {
		if c.applies(from, to) && !(limited && c.aboutAdmin) {
			found = append(found, c.Correction)
		}
	}
	return found
}

// onSchedule returns whether both ends are releases of OpenShift and at least one belongs to the proposed schedule.
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

func fromHonoredToIgnored(from, to olm.Target) bool {
	honored := from.Model == olm.Required || from.Model == olm.Synthetic
	return onSchedule(from, to) && honored && (to.Model == olm.Ignored || to.Model == olm.Removed)
}

func toPreview(from, to olm.Target) bool { return to.TechPreview() && !from.TechPreview() }

func fromPreview(from, to olm.Target) bool { return from.TechPreview() && !to.TechPreview() }

func proposedSchedule(from, to olm.Target) bool {
	return onSchedule(from, to) && !to.TechPreview() && from.Model != to.Model && !isBack(from, to)
}

// toAccepted returns whether a shipped release of OpenShift that ignores the field follows one that requires it.
func toAccepted(from, to olm.Target) bool {
	shipped := from.OpenShift() && to.OpenShift() && !from.Proposed && !to.Proposed
	return shipped && from.Model == olm.Required && to.Model == olm.Ignored
}
