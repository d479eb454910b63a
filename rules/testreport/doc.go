// Package testreport holds the results of tests and examples of policies, and prints them.
package testreport
