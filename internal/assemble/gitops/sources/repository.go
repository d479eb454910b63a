package sources

import (
	"net"
	"net/url"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// Certainty is whether a source is in this repository.
type Certainty string

// The certainties.
const (
	// Here is certain: the address is that of a git remote, or Flux was bootstrapped from this repository.
	Here Certainty = "here"
	// Assumed is inferred from the folders: those that sources of the address name exist.
	Assumed Certainty = "assumed"
	// OtherRepository is everything else.
	OtherRepository Certainty = "elsewhere"
)

// Repository is the repository of a source.
type Repository struct {
	URL view.Field[string]
	Is  Certainty
	// Dir is its folder in a workspace; "" if the tree is one repository.
	Dir string
	// Why is the reason for the certainty, for messages.
	Why string
}

// SameRepository reports whether two git addresses refer to the same repository, regardless of scheme, user, port, letter
// case, and a final .git.
func SameRepository(a, b string) bool {
	a, b = NormalAddress(a), NormalAddress(b)
	return a != "" && a == b
}

// NormalAddress returns host/path of an address, in lower case.
func NormalAddress(address string) string {
	address = strings.ToLower(strings.TrimSpace(address))
	scheme, rest, hasScheme := strings.Cut(address, "://")
	if !hasScheme {
		host, path, isSCP := strings.Cut(address, ":")
		if !isSCP || strings.Contains(host, "/") {
			return clean(address)
		}
		_, host = cutUser(host) // git@host:organization/repository
		return sameHost(host, path)
	}
	if scheme == "file" {
		return clean(rest)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := parsed.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return sameHost(host, parsed.Path)
}

func cutUser(host string) (user, rest string) {
	if user, rest, found := strings.Cut(host, "@"); found {
		return user, rest
	}
	return "", host
}

// sameHost joins host and path. Some services use different hosts or paths for ssh and https.
func sameHost(host, name string) string {
	host = strings.TrimPrefix(host, "ssh.")
	host = strings.TrimPrefix(host, "altssh.")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "/"), "v3/")
	return clean(host + "/" + strings.Replace(name, "/_git/", "/", 1))
}

func clean(address string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(address, "/"), ".git"), "/")
}
