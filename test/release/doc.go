// Package release tests the scripts of a release: the download of the GitHub Action, and the notes.
package release
