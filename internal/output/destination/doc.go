// Package destination writes files that the command line names: never through a symlink, and never over what a run reads.
package destination
