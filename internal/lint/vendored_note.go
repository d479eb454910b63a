package lint

// vendoredNote returns the note with the number of files in the paths of the command line that are left out as dependencies and hold something that rules judge; "" if
// there are none.
func (s *Session) vendoredNote() string {
	judged := map[string]bool{}
	for file := range s.snapshot.Collection.Files {
		judged[file] = true
	}
	for _, u := range s.snapshot.Unread() {
		judged[u.File] = true
	}
	n := 0
	for file := range s.snapshot.Dependencies {
		if judged[file] && s.Tree.Selected(file) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return "not checked: " + vendoredFiles(n, "file") + ", which nothing outside of them applies, as far as salint reads it: " + checkVendored
}

const checkVendored = "pass a folder to check it, or set `vendored: true` in .salint.yaml"

func vendoredFiles(n int, what string) string {
	return plural(n, what) + " in folders named vendor or node_modules"
}
