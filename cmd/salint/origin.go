package main

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/git"
)

// readOrigin reads which repository and revision the reports name: those of the flags, otherwise those of git if a report names them.
func (l *linter) readOrigin() (err error) {
	l.origin, err = originOf(l.ctx.String("repository"), l.ctx.String("revision"))
	if err != nil || l.repo == nil || !l.formats("json") && !l.formats("sarif") {
		return err
	}
	if l.origin.Repository == "" {
		l.origin.Repository = l.repo.Git.Origin()
	}
	if l.origin.Revision == "" {
		l.origin.Revision = l.repo.Git.Head()
	}
	return nil
}

// originOf returns what the flags set. An address becomes the name of its repository, without its credentials.
func originOf(name, revision string) (finding.Provenance, error) {
	o := finding.Provenance{Named: name != ""}
	if name != "" {
		if o.Repository = repositoryName(name); o.Repository == "" {
			return o, fmt.Errorf("--repository: expected a name such as example.org/group/project, or an address such as https://example.org/group/project.git")
		}
	}
	if isWord := !strings.ContainsFunc(revision, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '/' }); !isWord {
		return o, fmt.Errorf("--revision: expected the ID of a commit, without spaces and slashes")
	}
	o.Revision = revision
	return o, nil
}

// repositoryName returns the name of a repository by its address or by its name; "" if it is neither. A name cannot contain
// credentials, because only addresses have them.
func repositoryName(text string) string {
	if name, ok := git.RepositoryName(text); ok {
		return name
	}
	name := strings.TrimSuffix(strings.Trim(strings.TrimSpace(text), "/"), ".git")
	if strings.Contains(text, "://") || strings.HasSuffix(name, ":") || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '@' || r == '\\' }) {
		return ""
	}
	return name
}
