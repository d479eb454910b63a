// Package secrets looks up which objects of a deployment unit use a Secret, and from which ones the cluster gets it.
package secrets
