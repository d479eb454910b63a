package git

import (
	"path/filepath"
	"strings"
)

// Remotes lists the addresses of the repository's git remotes, in the order of its configuration. The file is read without
// git: no setting is followed, and no program is started. Without git, or if the file cannot be read, the list is empty.
func (r *Repository) Remotes() []string {
	var urls []string
	for _, remote := range r.namedRemotes() {
		urls = append(urls, remote.url)
	}
	return urls
}

// namedRemote is an address of a remote. A remote can have several.
type namedRemote struct{ name, url string }

func (r *Repository) namedRemotes() []namedRemote {
	dir, ok := r.gitDir()
	if !ok {
		return nil
	}
	return remotes(string(readSmall(filepath.Join(commonGitDir(dir), "config"), maxConfigSize)))
}

// maxConfigSize is far above the size of a configuration with thousands of branches.
const maxConfigSize = 1 << 20

// remotes reads a configuration (git-config(1), "Syntax") as far as needed to find the addresses.
func remotes(config string) []namedRemote {
	config = strings.ReplaceAll(config, "\r\n", "\n")
	config = strings.ReplaceAll(config, "\\\n", "") // a line continues after a backslash
	var found []namedRemote
	name, isRemote := "", false
	for line := range strings.SplitSeq(config, "\n") {
		line = strings.TrimSpace(line)
		if header, rest, ok := sectionHeader(line); ok {
			isRemote, line = isRemoteHeader(header), rest
			name = remoteName(header)
		}
		key, value, ok := strings.Cut(line, "=")
		if isRemote && ok && strings.EqualFold(strings.TrimSpace(key), "url") {
			if url := configValue(value); url != "" {
				found = append(found, namedRemote{name, url})
			}
		}
	}
	return found
}

// sectionHeader splits a line that begins with a section header: a setting can follow on the same line.
func sectionHeader(line string) (header, rest string, ok bool) {
	if !strings.HasPrefix(line, "[") {
		return "", line, false
	}
	quoted := false
	for i := 1; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ']' && !quoted:
			return line[1:i], strings.TrimSpace(line[i+1:]), true
		}
	}
	return "", line, false
}

// isRemoteHeader reports whether a section describes a remote: [remote "name"], or the older [remote.name].
func isRemoteHeader(header string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	name, _, _ = strings.Cut(name, ".")
	return strings.EqualFold(name, "remote")
}

// remoteName returns the name of a remote in the header of its section.
func remoteName(header string) string {
	if _, quoted, ok := strings.Cut(header, `"`); ok {
		return strings.TrimSuffix(strings.TrimSpace(quoted), `"`)
	}
	_, name, _ := strings.Cut(strings.TrimSpace(header), ".")
	return name
}

// configValue reads a value: parts can be quoted, a comment can follow, and surrounding space is ignored.
func configValue(text string) string {
	var value strings.Builder
	quoted, end := false, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			quoted = !quoted
			continue
		case (c == '#' || c == ';') && !quoted:
			return value.String()[:end]
		case c == '\\' && i+1 < len(text):
			i++
			c = text[i]
		case (c == ' ' || c == '\t') && !quoted:
			if value.Len() > 0 {
				value.WriteByte(c)
			}
			continue
		}
		value.WriteByte(c)
		end = value.Len()
	}
	return value.String()[:end]
}
