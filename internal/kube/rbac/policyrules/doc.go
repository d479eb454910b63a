// Package policyrules compares rules of roles: whether some cover others, what they lack, what two of them have in common, and which are the
// same. It also writes them in a short form.
package policyrules
