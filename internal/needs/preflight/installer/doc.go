// Package installer determines who installs an extension of a repository: into which namespace, with which identity, and
// with which runtime of operator-controller.
package installer
