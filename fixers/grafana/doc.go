// Package grafana holds the fixer of the resources of the Grafana operator: it sets the expiry of service account tokens.
package grafana
