// Package deniedtext reads the missing permissions from the error text of a failed installation: the API server's refusals,
// its escalation errors, and the list of operator-controller's pre-authorizer.
package deniedtext
