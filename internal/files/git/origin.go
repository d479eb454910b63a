package git

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Origin returns the name of the repository by its remote origin, or by its first remote if none has that name. It is "" without git,
// without a remote, and for a remote that is a local path, which says nothing on another machine. Nothing but git's configuration file
// is read.
func (r *Repository) Origin() string {
	all := r.namedRemotes()
	for _, remote := range all {
		if remote.name == "origin" {
			all = []namedRemote{remote}
			break
		}
	}
	if len(all) == 0 {
		return ""
	}
	name, _ := RepositoryName(all[0].url)
	return name
}

// scpAddress is an address such as git@example.org:group/project.git. A host of one letter is a drive of Windows.
var scpAddress = regexp.MustCompile(`^(?:[^@/\s]+@)?([A-Za-z0-9.-]{2,}):([^/\s].*|/[^/].*)$`)

// RepositoryName returns the host and the path of the address of a repository, as in example.org/group/project: without the scheme, the
// credentials, and the ending .git, so that all addresses of a repository have one name. Only the port of an HTTP address is kept. ok is
// false for a local path, and for an address that cannot be read.
func RepositoryName(address string) (name string, ok bool) {
	address = strings.TrimSpace(address)
	if m := scpAddress.FindStringSubmatch(address); m != nil && !strings.Contains(address, "://") {
		return hostAndPath(m[1], m[2])
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Scheme == "file" || u.Hostname() == "" {
		return "", false
	}
	host := u.Hostname()
	if port := u.Port(); port != "" && port != defaultPorts[u.Scheme] && (u.Scheme == "http" || u.Scheme == "https") {
		host = u.Host
	}
	return hostAndPath(host, u.Path)
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

func hostAndPath(host, file string) (string, bool) {
	if name, ok := azureName(host, file); ok {
		return name, true
	}
	file = strings.TrimSuffix(path.Clean("/"+file), ".git")
	if file == "/" || strings.ContainsFunc(file, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "", false
	}
	return strings.ToLower(host) + file, true
}

// NameOf returns the name of a repository by its address or by its name; "" if it is neither. A name cannot contain
// credentials, because only addresses have them.
func NameOf(text string) string {
	if name, ok := RepositoryName(text); ok {
		return name
	}
	if host, file, found := strings.Cut(strings.TrimSpace(text), "/"); found {
		if name, ok := azureName(host, file); ok {
			return name
		}
	}
	name := strings.TrimSuffix(strings.Trim(strings.TrimSpace(text), "/"), ".git")
	isOther := func(r rune) bool { return r <= ' ' || r == 0x7f || r == '@' || r == '\\' }
	if strings.Contains(text, "://") || strings.HasSuffix(name, ":") || strings.ContainsFunc(name, isOther) {
		return ""
	}
	return name
}

// maxRefs is far above the size of a file with a hundred thousand branches and tags.
const maxRefs = 32 << 20

// Head returns the commit that is checked out; "" if there is none or it cannot be read. No program is started, so that the answer
// does not depend on the owner of the folder, as git's does in containers. Refs in the format reftable are not read.
func (r *Repository) Head() string {
	dir, ok := r.gitDir()
	if !ok {
		return ""
	}
	text := firstLine(filepath.Join(dir, "HEAD"))
	for range maxSymbolicRefs {
		ref, isRef := strings.CutPrefix(text, "ref: ")
		if !isRef {
			break
		}
		if text = readRef(dir, strings.TrimSpace(ref)); text == "" {
			return ""
		}
	}
	if !isCommit(text) {
		return ""
	}
	return text
}

// maxSymbolicRefs is how many refs can name another one, as in git.
const maxSymbolicRefs = 5

// readRef returns what a ref holds: the ID of a commit, or the name of another ref.
func readRef(dir, ref string) string {
	if !strings.HasPrefix(ref, "refs/") || !fs.ValidPath(ref) {
		return ""
	}
	common := commonGitDir(dir)
	for _, folder := range []string{dir, common} {
		if text := firstLine(filepath.Join(folder, filepath.FromSlash(ref))); text != "" {
			return text
		}
	}
	for line := range bytes.Lines(readSmall(filepath.Join(common, "packed-refs"), maxRefs)) {
		id, name, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if name == ref {
			return id
		}
	}
	return ""
}

func isCommit(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && (len(text) == 40 || len(text) == 64)
}
