# METADATA
# title: The OLM release of a ClusterExtension is unknown
# description: |
#   Releases treat `spec.serviceAccount` differently: it is required through olm-1.10 and OpenShift 4.23, and ignored from
#   olm-1.11 and OpenShift 5.0. No target is set for these extensions, and no manifest beside them shows the release (the CRD,
#   the image of operator-controller, a ClusterVersion). Rules then report only what is wrong on every shipped release, and
#   salint does not offer fixes that depend on the release.
#
#   A run has one finding of this rule, at the first extension; the others are related places. `salint targets` lists the
#   releases and the commands that print which one a cluster runs. Set it with `target:` in `.salint.yaml`, for some paths
#   with `overrides:`, or with `--target`.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.target_unknown
