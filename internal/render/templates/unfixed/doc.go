// Package unfixed finds what the templates of a chart make of values that a repository does not fix: objects on the cluster, the release, the
// capabilities of the cluster and of Helm, chance, and the clock.
package unfixed
