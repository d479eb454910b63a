// Package drawings lays out the graph of a report for an HTML page: a drawing and a table for each deployment unit, within limits.
package drawings
