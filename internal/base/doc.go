// Package base groups packages that every other package can use and that know nothing about Kubernetes: printing untrusted
// text safely, suggesting the nearest known name, spreading work over the processors, and collecting garbage seldom.
package base
