// Package deniedtext reads out of the text of a failed installation which permissions were missing: the refusals of the API
// server, its errors about escalation, and the list of operator-controller's pre-authorizer.
package deniedtext
