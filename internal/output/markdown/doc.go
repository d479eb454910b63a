// Package markdown writes text from manifests as Markdown for GitHub and GitLab, and limits it to the length of a pull
// request comment.
package markdown
