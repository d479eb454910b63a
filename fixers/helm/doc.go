// Package helm edits the templates of Helm charts. Each of its exported functions is a fixer for objects that a chart renders.
//
// An edit of a template reaches everything that the template renders: other elements of a range, other sets of values, other
// charts. A fix declares all of that, and refuses if values that the repository does not have could make it wrong.
package helm
