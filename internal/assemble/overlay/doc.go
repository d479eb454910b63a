// Package overlay builds the units whose kustomizations change what their files hold, so that they are judged as they are
// applied, and traces every field of what was built to the line that the user wrote.
package overlay
