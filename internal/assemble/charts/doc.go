// Package charts makes units of the Helm charts of a repository: one for every set of values that a chart is rendered with.
// What a chart was rendered to is judged, and every field of it can be traced to the line of the template that wrote it.
package charts
