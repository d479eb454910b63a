// Package formats writes the result of `diff`: as text, Markdown, JSON, an HTML page, or findings.
package formats
