// Package runrecord records how a report was made: hashes of settings and policies, and how the work tree differs from its commit.
package runrecord
