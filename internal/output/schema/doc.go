// Package schema holds the JSON Schemas of what the commands print as JSON.
package schema
