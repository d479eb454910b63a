//go:build !race

package child

// RaceDetector is true in programs with the race detector. The kernel does not limit the memory of their children.
const RaceDetector = false
