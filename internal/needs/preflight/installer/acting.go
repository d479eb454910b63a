package installer

// Acting is as which identity OLM acts when it installs an extension, and so about whose permissions the answer is.
type Acting int

const (
	// AsIdentity: OLM acts as the identity, which needs the permissions.
	AsIdentity Acting = iota
	// AsOwnAccount: OLM acts with its own account, a cluster-admin as far as the repository shows, so nothing is required of the identity.
	AsOwnAccount
	// AsLimitedAccount: OLM acts with its own account, which the repository does not make a cluster-admin; it is the identity of the answer.
	AsLimitedAccount
	// AsOther: OLM acts with its own account, but the answer is about the identity that the user chose.
	AsOther
)
