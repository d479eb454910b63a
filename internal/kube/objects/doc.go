// Package objects says what is there: the objects of a repository, the units in which they are applied together, and
// which of them belong to one another.
//
// A name means something only inside a unit, so every question is put to a [Unit]. Two rules hold throughout:
//
//   - The nearest namesake wins. Where nothing says what is applied together, an object belongs to that consumer of its
//     name whose folder shares the deepest common folder with its own; see [Unit.Near] and [Unit.Owns].
//   - An unknown namespace matches any. A manifest of a namespaced object may leave the namespace to kustomize, Helm or
//     the one who applies it. It is then unknown, which is not the namespace `default`; see [SameNamespace].
package objects
