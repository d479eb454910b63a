// Package interrupts ends a run of the program at a signal or at its limit of time, and never in the middle of its writes.
package interrupts
