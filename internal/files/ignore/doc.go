// Package ignore reads and applies ignore rules.
package ignore
