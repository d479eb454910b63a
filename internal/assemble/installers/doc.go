// Package installers reads what helmfile, Fleet, Terraform, and commands do with the charts and folders of a repository: with which values they
// install charts, and what they patch before it is applied.
package installers
