// Package sandbox evaluates and tests the policies of users in a child process with limits.
package sandbox
