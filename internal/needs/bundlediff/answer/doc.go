// Package answer prints the difference of two versions of an operator: as text, as JSON, or as a Markdown comment on a pull
// request.
package answer
