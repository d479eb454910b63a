// Package versionrange reads the version that an extension requests from its catalog, as the API server and operator-controller do.
package versionrange

import (
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// maxLength and pattern are those of spec.source.catalog.version in the CRD of ClusterExtension, which are the same in v1.0.0 to v1.11.0 and
// in OpenShift 4.18 to 5.0 (api/v1/clusterextension_types.go, api/v1alpha1 before). Two brackets in it are misplaced, so a few expressions
// are accepted or rejected by accident; the API server does the same.
const maxLength = 64

const (
	comparator = `(=||!=|>|<|>=|=>|<=|=<|~|~>|\^)`
	suffix     = `(-([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?`
	number     = `0|[1-9]\d*`
	wildcard   = `|x|X|\*`
	first      = `v?(` + number + `|[x|X|\*])(\.(` + number + wildcard + `]))?(\.(` + number + wildcard + `))?`
	further    = `v?(` + number + wildcard + `])(\.(` + number + wildcard + `))?(\.(` + number + wildcard + `]))?`
)

var pattern = lazyregexp.New(`^(\s*` + comparator + `\s*(` + first + suffix + `)\s*)((?:\s+|,\s*|\s*\|\|\s*)` + comparator + `\s*(` + further + suffix + `)\s*)*$`)

// Problem returns why an expression is rejected: by the API server, or by operator-controller, which then reads it; "" if it is not.
func Problem(expression string) string {
	switch _, err := semver.NewConstraint(expression); {
	case len(expression) > maxLength:
		return fmt.Sprintf("the API server rejects more than %d characters", maxLength)
	case !pattern().MatchString(expression):
		return "the API server rejects it as an invalid version expression"
	case err != nil:
		return "operator-controller cannot read it as a range of versions"
	}
	return ""
}

// Allows reports whether an expression allows a version; ok is false if one of them is invalid.
func Allows(expression, version string) (allowed, ok bool) {
	constraint, err := semver.NewConstraint(expression)
	if err != nil {
		return false, false
	}
	v, err := semver.StrictNewVersion(strings.TrimPrefix(version, "v"))
	if err != nil {
		return false, false
	}
	return constraint.Check(v), true
}
