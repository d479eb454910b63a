// Package admission reports whether the ValidatingAdmissionPolicies of a repository limit what somebody may write, and where
// they do not, which half of the limit is missing.
//
// It decides as the API server does (k8s.io/apiserver, pkg/admission/plugin/policy), as far as that can be known from
// manifests: the object to be written is not known, so an expression that depends on it has no value here.
package admission
