// Package listing prints what salint knows: its targets, and its rules.
package listing
