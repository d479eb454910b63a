// Package grafana holds the fixers of the resources of the Grafana operator: they set the expiry of service account tokens, and remove a field that was
// never released.
package grafana
