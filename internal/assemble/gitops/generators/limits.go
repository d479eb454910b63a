package generators

// Limits on the cost of generators, far above what repositories need.
const (
	// maxData limits the bytes of a file or string of parameters.
	maxData = 1 << 20
	// maxFiles limits the files that one generator reads.
	maxFiles = 2_000
	// maxPattern limits the length of a pattern of paths.
	maxPattern = 1 << 10
	// maxSets limits the sets of parameters of one generator.
	maxSets = 5_000
	// maxNested is the maximum nesting of generators: one in a matrix in a merge.
	maxNested = 2
)
