package repo

import (
	"os"
	"path/filepath"
	"strings"
)

// Remotes lists the addresses of the repository's git remotes, in the order of its configuration. They are read from git's
// own file, without git: no setting in it is followed, and none can start anything. Without git, or where the file cannot be
// read, there are none.
func (r *Repo) Remotes() []string {
	dir, ok := gitDir(r.GitRoot)
	if r.GitRoot == "" || !ok {
		return nil
	}
	return remotesIn(filepath.Join(commonGitDir(dir), "config"))
}

// maxConfigSize is far above what a configuration with thousands of branches has.
const maxConfigSize = 1 << 20

func remotesIn(file string) []string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxConfigSize {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return remotes(string(data))
}

// remotes reads a configuration (git-config(1), "Syntax") as far as it takes to find the addresses.
func remotes(config string) []string {
	config = strings.ReplaceAll(config, "\r\n", "\n")
	config = strings.ReplaceAll(config, "\\\n", "") // a line goes on behind a backslash
	var urls []string
	isRemote := false
	for line := range strings.SplitSeq(config, "\n") {
		line = strings.TrimSpace(line)
		if header, rest, ok := sectionHeader(line); ok {
			isRemote, line = isRemoteHeader(header), rest
		}
		key, value, ok := strings.Cut(line, "=")
		if isRemote && ok && strings.EqualFold(strings.TrimSpace(key), "url") {
			if url := configValue(value); url != "" {
				urls = append(urls, url)
			}
		}
	}
	return urls
}

// sectionHeader takes a line apart that begins with one: a setting may follow on it.
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

// isRemoteHeader tells whether a section is that of a remote: [remote "name"], or [remote.name] of old.
func isRemoteHeader(header string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	name, _, _ = strings.Cut(name, ".")
	return strings.EqualFold(name, "remote")
}

// configValue reads a value: parts of it may be quoted, a comment may follow, and space around it does not count.
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
