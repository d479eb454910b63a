// Package process is the child process that renders charts and builds overlays: it has a memory limit, cannot open files or
// connections, and is killed when it takes too long.
//
// The rendering libraries trust their input. A template can loop endlessly, which cannot be stopped in Go; an alias that
// refers to itself crashes kustomize with a stack overflow, which cannot be recovered; a schema or an overlay can request
// something from the network. All of this affects only the child process.
package process
