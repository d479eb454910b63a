// Package block finds the exact part of a chart's source that wrote a field of a rendered object, so that a fix can remove
// or rewrite it. It refuses fields whose source is not certain, with the reason.
package block
