// Package jsonschema generates the JSON Schemas of what the program prints from its types, and validates texts with them.
package jsonschema
