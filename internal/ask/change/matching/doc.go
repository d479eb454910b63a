// Package matching finds what each cluster, deployment unit, and object of one state of a repository was in an earlier state.
package matching
