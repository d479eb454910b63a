// Package document writes the documentation of rules.
package document
