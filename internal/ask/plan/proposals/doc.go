// Package proposals corrects what the proposals of OpenShift about the field state wrongly about a transition.
package proposals
