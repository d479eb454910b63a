// Package danger orders permissions by what an identity can do with them beyond what they state.
package danger
