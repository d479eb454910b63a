// Package remarks has what a run prints about itself beside the findings.
package remarks
