// Package output groups how results are shown: reports of findings (report), HTML pages (page), Markdown (markdown),
// diagrams (picture), unified diffs (diff), and the terminal (terminal).
package output
