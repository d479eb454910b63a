// Package safetext makes what comes out of manifests safe to print: nothing that a terminal, or the runner of a workflow,
// would obey, hide or draw elsewhere.
package safetext
