// Package admission reports whether the ValidatingAdmissionPolicies of a repository limit what a subject is allowed to
// write and, if not, which part of the limit is missing.
//
// It decides as the API server does (k8s.io/apiserver, pkg/admission/plugin/policy), as far as manifests determine it. The
// object to be written is unknown, so an expression that depends on it is unknown, too.
//
// For an update that is known, it reports which policies reject it, also those of Kyverno and Gatekeeper.
package admission
