// Package assess compares two versions of an operator: it reads both, and makes the answer that package answer prints.
package assess
