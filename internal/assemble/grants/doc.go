// Package grants finds the bindings of roles that a repository makes outside of the manifests that salint reads: by commands, in texts such as
// heredocs and modules of Terraform, and in objects of which a controller makes bindings.
package grants
