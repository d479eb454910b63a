package gitops

// Limits on what generators and files may cost. They are far above what repositories have.
const (
	// maxData is how many bytes a file or text of parameters may have.
	maxData = 1 << 20
	// maxParameterFiles is how many files one generator may read.
	maxParameterFiles = 2_000
	// maxPattern is how long a pattern of paths or names may be.
	maxPattern = 1 << 10
	// maxSets is how many sets of parameters one generator may give, and maxGenerated how many applications all
	// ApplicationSets together.
	maxSets      = 5_000
	maxGenerated = 20_000
)
