// Package ruledoc writes the documentation of rules.
package ruledoc
