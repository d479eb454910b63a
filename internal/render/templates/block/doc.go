// Package block finds the part of a chart's source that wrote a field of a rendered object, and nothing else: what a fix of
// the template may take away or write again. What is not certain is refused, with the reason.
package block
