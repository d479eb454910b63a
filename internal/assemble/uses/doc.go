// Package uses answers who uses what in a repository: which places of its files name an account or another object, and which programs,
// kustomizations and links read, apply or overwrite a file.
package uses
