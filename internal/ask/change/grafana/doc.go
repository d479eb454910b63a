// Package grafana compares the role of service accounts of Grafana: anyone who can read the Secrets of their tokens has it.
package grafana
