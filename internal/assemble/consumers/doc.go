// Package consumers finds the programs that build, apply, or write files of a repository and that salint does not build: their commands in
// scripts, build files, and pipelines, their settings, and the objects of controllers that take files of the repository.
package consumers
