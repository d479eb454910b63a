// Package child is the second process in which charts are rendered and overlays are built: it has limits on memory, can
// open neither files nor connections, and is killed when it takes too long.
//
// Libraries that render trust their input. A template can run for ever, which cannot be stopped in Go; an alias that
// refers to itself ends kustomize by a stack overflow, which cannot be recovered from; a schema or an overlay may ask for
// something from the network. Whatever happens here happens to this process only.
package child
