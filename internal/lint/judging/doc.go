// Package judging evaluates the rules on the objects of a snapshot, and says which of the findings are reported, silenced, or known.
package judging
