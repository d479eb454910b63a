// Package base groups what every other package can use and what knows nothing about Kubernetes: printing untrusted text
// safely, suggesting the nearest known name, and spreading work over the processors.
package base
