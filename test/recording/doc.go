// Package recording draws the output of a program on a terminal as an SVG picture, screen after screen.
package recording
