// Package files groups the packages that handle files and bytes without interpreting objects: which files a repository has
// and how they are written back (repo), documents whose nodes know their byte positions, and edits (manifest), and path
// patterns (glob).
package files
