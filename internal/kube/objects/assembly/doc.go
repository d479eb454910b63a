// Package assembly assembles the deployment units of kustomizations and of the files that none of them applies, and finds the charts among the
// files.
package assembly
