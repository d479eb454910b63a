// Package overlay builds the units whose kustomizations change the objects of their files, and traces every built field to
// the line that the user wrote.
package overlay
