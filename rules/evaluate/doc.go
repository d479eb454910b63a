// Package evaluate evaluates rules on objects, and reads their results.
package evaluate
