// Package bundlesupport says which bundles the operator-controller of a release installs, and which feature gates that depends on. The
// table of releases is the only one: preflight, plan, and the rules of lint ask it.
package bundlesupport
