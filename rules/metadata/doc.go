// Package metadata describes a rule, and reads the description from the METADATA of its policy.
package metadata
