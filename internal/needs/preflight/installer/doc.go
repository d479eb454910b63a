// Package installer finds out of a repository who installs an extension: into which namespace, as whom, and by what
// runtime of operator-controller.
package installer
