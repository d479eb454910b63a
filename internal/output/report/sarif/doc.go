// Package sarif writes the result of a run as SARIF: with its rules, and its fixes as replacements of text.
package sarif
