// Package reuse keeps the results of child processes, and finds them again by what the child really read.
//
// A child has no files: it asks for each one, and for each name that it only tests, and its next query depends only on its request
// and the answers so far. So the queries of a build with the hashes of their answers are all that its result depends on: contents,
// folders, symlinks, and names that do not exist. A result is found by asking the recorded queries again, in their order, up to the
// first answer that differs. As the answers are those that the child would receive, all that answering does happens as in a build.
//
// Charts are rendered without queries: their request holds all of their files.
package reuse
