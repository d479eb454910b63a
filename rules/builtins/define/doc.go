// Package define declares built-in functions: their types, and what they remember and require.
package define
