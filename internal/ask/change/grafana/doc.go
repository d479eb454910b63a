// Package grafana compares the role of service accounts of Grafana: whoever can read the Secrets of their tokens has it.
package grafana
