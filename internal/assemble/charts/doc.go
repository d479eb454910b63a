// Package charts renders the Helm charts of a repository into deployment units, one for each set of values of a chart.
// Every rendered field can be traced to the template line that wrote it.
package charts
