package shell

import (
	"path/filepath"
	"runtime"
	"strings"
)

// onWindows is set where the shell is PowerShell or cmd.
const onWindows = runtime.GOOS == "windows"

// Quote quotes a word if a shell would change it.
func Quote(word string) string {
	if IsPlain(word) {
		return word
	}
	return quote(filepath.ToSlash(word), onWindows)
}

// quote quotes a word for a POSIX shell, or for those of Windows: PowerShell and cmd both take double quotes around what neither replaces
// in them, and single quotes are those of PowerShell.
func quote(word string, windows bool) string {
	switch {
	case !windows:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	case !strings.ContainsAny(word, "\"$`%!"):
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", "''") + "'"
}

// Path returns a path that begins with a dash with its folder, so that no command takes it for a flag; others as they are.
func Path(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
}

// IsPlain reports whether a word is the same with and without quotes.
func IsPlain(word string) bool {
	return word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !strings.ContainsRune("-_./=,:@%+", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// Join quotes words and joins them to a command line.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}
