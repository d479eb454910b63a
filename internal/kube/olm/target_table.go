package olm

// table lists the releases whose model is known. It is data: a release with another model is a changed row. Rows of one
// family are in ascending order, because a release that is not listed resolves like the last one before it.
//
// docs/targets.md shows the same table, and a test compares the two.
var table = []Target{
	{Name: "olm-1.0", Model: Required, Source: upstreamRequired("v1.0.0")},
	{Name: "olm-1.1", Model: Required, Source: upstreamRequired("v1.1.0")},
	{Name: "olm-1.2", Model: Required, Source: upstreamRequired("v1.2.0")},
	{Name: "olm-1.3", Model: Required, Source: upstreamRequired("v1.3.0"), Placeholder: true},
	{Name: "olm-1.4", Model: Required, Source: upstreamRequired("v1.4.0"), Placeholder: true},
	{Name: "olm-1.5", Model: Required, Source: upstreamRequired("v1.5.1"), Placeholder: true},
	{Name: "olm-1.6", Model: Required, Source: upstreamRequired("v1.6.0"), Placeholder: true},
	{Name: "olm-1.7", Model: Required, Source: upstreamRequired("v1.7.0"), Placeholder: true},
	{Name: "olm-1.8", Model: Required, Source: upstreamRequired("v1.8.0"), Placeholder: true},
	{Name: "olm-1.9", Model: Required, Source: upstreamRequired("v1.9.0"), Placeholder: true},
	{Name: "olm-1.10", Model: Required, Source: upstreamRequired("v1.10.0"), Placeholder: true},
	{Name: "olm-1.11", Model: Ignored,
		Source: "operator-controller v1.11.0, api/v1/clusterextension_types.go: optional, deprecated, completely ignored"},

	{Name: "ocp-4.18", Model: Required, Source: openshiftRequired("release-4.18", "June 2026")},
	{Name: "ocp-4.19", Model: Required, Source: openshiftRequired("release-4.19", "June 2026")},
	{Name: "ocp-4.20", Model: Required, Source: openshiftRequired("release-4.20", "June 2026")},
	{Name: "ocp-4.21", Model: Required, Source: openshiftRequired("release-4.21", "June 2026")},
	{Name: "ocp-4.22", Model: Required, Source: openshiftRequired("release-4.22", "July 2026")},
	{Name: "ocp-4.23", Model: Required, Source: openshiftRequired("release-4.23", "July 2026")},
	{Name: "ocp-5.0", Model: Ignored, Source: openshiftIgnored("release-5.0"), ReleasedWith: "ocp-4.23"},
	{Name: "ocp-5.1", Model: Ignored, Source: openshiftIgnored("release-5.1")},

	{Name: "ocp-4.20-proposed", Model: Required, Proposed: true, Source: deprecationProposal + "no changes"},
	{Name: "ocp-4.21-proposed", Model: Ignored, Proposed: true, Source: deprecationProposal + "optional and ignored"},
	{Name: "ocp-4.22-proposed", Model: Ignored, Proposed: true, Source: deprecationProposal + "still ignored"},
	{Name: "ocp-4.23-proposed", Model: Removed, Proposed: true, Source: deprecationProposal + "removed from the API"},
	{Name: techPreviewName, Model: Synthetic, Proposed: true, Source: optionalProposal},
}

// models are targets for users who know the model and not the release.
var models = []Target{
	// Most releases that require the field have the gate SyntheticPermissions, so it cannot be ruled out.
	{Name: string(Required), Model: Required, Source: modelItself, Placeholder: true},
	{Name: string(Synthetic), Model: Synthetic, Source: modelItself},
	{Name: string(Ignored), Model: Ignored, Source: modelItself},
	{Name: string(Removed), Model: Removed, Source: modelItself},
}

const (
	techPreviewName = "ocp-techpreview-proposed"

	modelItself         = "the model itself, of no release in particular"
	deprecationProposal = "OpenShift proposal \"Service Account Field Deprecation\", October 2025, schedule: "
	optionalProposal    = "OpenShift proposal \"Make ServiceAccount Field Optional in the ClusterExtension API\", " +
		"November 2025: optional where the feature set is TechPreviewNoUpgrade"
)

func upstreamRequired(tag string) string {
	return "operator-controller " + tag + ", api/v1/clusterextension_types.go: required"
}

// openshiftIgnored is the source of releases whose operator-controller is bound to cluster-admin, and whose CRD describes the
// field as ignored. The CRD on these branches was older when the binding was merged, so a CRD in the repository decides.
func openshiftIgnored(branch string) string {
	return "openshift/cluster-olm-operator #222 (merged 2026-07-23, on branch " + branch + "), " +
		"openshift/operator-framework-operator-controller #767 and #771: optional, deprecated, ignored"
}

func openshiftRequired(branch, date string) string {
	return "openshift/operator-framework-operator-controller, branch " + branch + " of " + date +
		", CRD clusterextensions: required"
}
