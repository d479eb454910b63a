// Package files groups what knows files and bytes, but not what they mean: which files a repository has and how they are
// written back (repo), documents whose every node knows its bytes, and edits (manifest), and path patterns (glob).
package files
