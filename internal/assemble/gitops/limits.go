package gitops

// Limits on the cost of generators and files, far above what repositories need.
const (
	// maxData limits the bytes of a file or string of parameters.
	maxData = 1 << 20
	// maxParameterFiles limits the files that one generator reads.
	maxParameterFiles = 2_000
	// maxPattern limits the length of a pattern of paths or names.
	maxPattern = 1 << 10
	// maxSets limits the sets of parameters of one generator, maxGenerated the applications of all ApplicationSets
	// together.
	maxSets      = 5_000
	maxGenerated = 20_000
)
