// Package tokentexts finds in the bytes of files what no object of the repository shows: tokens of accounts, and commands and programs that
// rely on the token Secrets that Kubernetes no longer generates. It also notes service accounts of Grafana that no rule knows.
package tokentexts
