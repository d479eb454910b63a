// Package since finds what differs from a revision, for runs that report only on that: files, and the settings that decide what counts.
package since
