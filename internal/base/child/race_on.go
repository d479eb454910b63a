//go:build race

package child

// RaceDetector is true in programs with the race detector, which reserves terabytes of addresses and needs several times the
// memory: the kernel does not limit the memory of their children.
const RaceDetector = true
