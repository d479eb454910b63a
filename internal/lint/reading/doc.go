// Package reading decides which documents of a repository are parsed, and makes the deployment units of a round: the snapshot that
// is judged.
package reading
