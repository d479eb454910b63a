package origin

import (
	"net/url"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// versionIn finds a version in a part of an address, such as that of cert-manager-v1.2.3.yaml.
var versionIn = lazyregexp.New(`v?\d+(?:\.\d+)+(?:[-+](?:alpha|beta|rc|dev|pre)[\w.]*)?`)

// Split returns an address without what names a revision in it, and the revision; "" if the address names none.
func Split(address string) (source, revision string) {
	address = strings.TrimPrefix(strings.TrimSpace(address), "git::")
	address, query, _ := strings.Cut(address, "?")
	others, revision := splitQuery(query)
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	}
	parts := strings.Split(rest, "/")
	if at, end := revisionIn(parts); at < end {
		if revision == "" {
			revision = strings.Join(parts[at:end], "/")
		}
		parts = append(append(parts[:at:at], "*"), parts[end:]...)
	}
	var versions []string
	for i := firstPart(parts); i < len(parts); i++ {
		versions = append(versions, versionIn().FindAllString(parts[i], -1)...)
		parts[i] = versionIn().ReplaceAllString(parts[i], "*")
	}
	if revision == "" {
		revision = strings.Join(versions, " ")
	}
	source = strings.TrimSuffix(strings.Join(parts, "/"), "/")
	if scheme != "" {
		source = strings.ToLower(scheme) + "://" + source
	}
	return source + others, revision
}

// splitQuery returns the parameters that are not about the revision or the fetching, and the revision.
//
// Source: https://github.com/kubernetes-sigs/kustomize/blob/master/examples/remoteBuild.md.
func splitQuery(query string) (others, revision string) {
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "ref", "version":
			if decoded, err := url.QueryUnescape(value); err == nil {
				value = decoded
			}
			revision = value
		case "", "timeout", "submodules", "depth":
		default:
			others += "?" + part
		}
	}
	return others, revision
}

// firstPart returns the index of the first part of an address that can be a version: not the host, nor an owner and a repository.
func firstPart(parts []string) int {
	if parts[0] == "github.com" || parts[0] == "raw.githubusercontent.com" {
		return 3
	}
	return 1
}

// revisionIn returns where the services that serve files of repositories have the revision; an empty range if there is none.
func revisionIn(parts []string) (at, end int) {
	switch {
	case len(parts) > 4 && parts[0] == "raw.githubusercontent.com":
		at = 3
	case len(parts) > 5 && parts[0] == "github.com" && (parts[3] == "raw" || parts[3] == "blob" || parts[3] == "tree"):
		at = 4
	case len(parts) > 6 && parts[0] == "github.com" && parts[3] == "releases" && parts[4] == "download":
		at = 5
	default:
		for i := 2; i+2 < len(parts); i++ {
			if parts[i] == "-" && parts[i+1] == "raw" { // GitLab
				at = i + 2
			}
		}
	}
	switch {
	case at == 0:
		return 0, 0
	case parts[at] == "refs" && len(parts) > at+3:
		return at, at + 3
	}
	return at, at + 1
}

type revisionKind int

const (
	defaultBranch revisionKind = iota
	release
	commit
	branch
	// proposal is what everyone can make: the head of a pull request.
	proposal
)

var (
	// proposed matches the heads of pull requests and merge requests, and of changes of Gerrit.
	proposed = lazyregexp.New(`^(?:refs/)?(?:remotes/[^/]+/)?(?:pull|pull-requests|merge-requests|changes)/`)
	// released matches tags, versions, digests of images, and ranges of versions. A commit has letters.
	released = lazyregexp.New(`^refs/tags/|^sha256:|(?:^|[^0-9a-z])v?\d+(?:\.(?:\d+|[xX*]))+|^v?\d+(?:-[a-z0-9.]+)?$|^\d{4}-?\d{2}-?\d{2}|^[*^~<>=]`)
	hash     = lazyregexp.New(`^[0-9a-f]{7,64}$`)
)

func kindOf(revision string) revisionKind {
	switch {
	case revision == "", revision == "HEAD", revision == "main", revision == "master", revision == "refs/heads/main", revision == "refs/heads/master":
		return defaultBranch
	case proposed().MatchString(revision):
		return proposal
	case strings.HasPrefix(revision, "refs/heads/"):
		return branch
	case hash().MatchString(revision) && strings.ContainsAny(revision, "abcdef"):
		return commit
	case released().MatchString(revision):
		return release
	}
	return branch
}

var digits = lazyregexp.New(`\d+`)

// IsUnreleased reports whether no release makes a revision that takes the place of another one: the head of a pull request, a commit
// instead of something else, or another branch.
func IsUnreleased(before, after string) bool {
	was, is := kindOf(before), kindOf(after)
	switch is {
	case proposal:
		return true
	case commit:
		return was != commit
	case branch:
		return digits().ReplaceAllString(before, "0") != digits().ReplaceAllString(after, "0")
	case defaultBranch:
		return was == release
	}
	return false
}
