// Package objects finds the objects of a repository, the deployment units that apply them, and the references between them.
//
// A name is resolved inside a unit, so every question is asked of a [Unit]: that of one step, or a cluster, which joins several ([ClusterUnit]). Two
// rules apply throughout:
//
//   - The nearest namesake wins. If nothing defines what is applied together, an object belongs to the consumer of its
//     name whose folder shares the deepest common folder with its own; see [Unit.Near] and [Unit.Owns].
//   - An unknown namespace matches any. A manifest of a namespaced object can leave the namespace to kustomize, Helm, or
//     the user who applies it. It is then unknown, which is not the namespace `default`; see [SameNamespace].
package objects
