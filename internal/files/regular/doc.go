// Package regular reads regular files up to a size, and of a folder only what is in it: a pipe, a device, and a symlink that leaves the folder are errors.
package regular
