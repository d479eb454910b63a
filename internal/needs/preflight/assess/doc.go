// Package assess determines what an installation lacks: it reads the repository, and the bundle or the error text of a failed
// installation, and makes the answers that package answer prints.
package assess
