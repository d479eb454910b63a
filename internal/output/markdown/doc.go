// Package markdown writes what comes out of manifests into Markdown, as GitHub and GitLab read it, and keeps it as short as
// a comment on a pull request may be.
package markdown
