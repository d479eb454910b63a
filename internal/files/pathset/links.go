package pathset

import (
	"path"
	"strings"
)

// Links are symbolic links, with the files and folders of the repository that they lead to.
type Links map[string]string

// Real returns a path with the symbolic links in it resolved.
func (l Links) Real(p string) string {
	for range len(l) { // a link can lead to a folder with another link
		link := l.In(p)
		if link == "" {
			break
		}
		p = path.Join(l[link], strings.TrimPrefix(p, link))
	}
	return p
}

// In returns the symbolic link that a path is or goes through; "" if there is none.
func (l Links) In(p string) string {
	if len(l) == 0 {
		return ""
	}
	for dir := p; dir != "." && dir != "/" && dir != ".."; dir = path.Dir(dir) {
		if _, is := l[dir]; is {
			return dir
		}
	}
	return ""
}
