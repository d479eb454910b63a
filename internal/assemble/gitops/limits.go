package gitops

// Limits on the cost of reading, far above what repositories need.
const (
	// maxData limits the bytes of a file.
	maxData = 1 << 20
	// maxGenerated limits the applications of all ApplicationSets together.
	maxGenerated = 20_000
)
