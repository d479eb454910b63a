// Package controlled reads what controllers do for an object: which permissions they grant, as which accounts they act, and which tokens
// they write into Secrets.
package controlled
