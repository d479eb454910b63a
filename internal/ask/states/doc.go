// Package states reads the two states of a repository that `diff` compares: a revision, and the working tree.
package states
