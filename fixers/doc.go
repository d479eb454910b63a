// Package fixers works out how findings are fixed: requests in, plans out.
//
// The table lists the fixers. Each belongs to a family, which is a separate package: identity, subjects, pods, grafana, prune,
// and helm for the templates of charts. A fixer reads the repository and returns a plan: the changes of documents, the documents
// to generate, and the identities whose permissions change. It writes no file. Package engine merges the plans of a run into new
// bytes of files, and package verify proves that these bytes are what the plans declare.
//
// A fix that would leave an identity with fewer permissions, or that depends on something that the repository does not show, is
// refused. A refusal says what is not done, why, and what to do by hand.
package fixers
