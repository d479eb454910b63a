package charts

import "strings"

// Linked returns the symlink through which the chart reads a file, such as a library that several charts link to: an edit
// of the file changes all of them. It is "" if there is none.
func (r *Rendered) Linked(file string) string {
	links, ok := r.files.(interface{ ReadLink(string) (string, error) })
	if !ok {
		return ""
	}
	for at := 0; at < len(file); {
		next := strings.IndexByte(file[at:], '/')
		if next < 0 {
			next = len(file) - at
		}
		at += next
		if _, err := links.ReadLink(file[:at]); err == nil {
			return file[:at]
		}
		at++
	}
	return ""
}
