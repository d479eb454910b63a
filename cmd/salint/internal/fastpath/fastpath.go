package fastpath

import (
	_ "embed"
	"io"
	"os"
	"runtime"
)

// Version is the version of the program, which can have a leading v. The Makefile sets it (-ldflags "-X …/fastpath.Version=…"), so it
// must stay a plain string without an initializer, because the linker can set only those. A program that `go install` built has its
// version in the build information, which main reads: the package for that is initialized after many others.
var Version string

// exitError is the exit code after an error.
const exitError = 2

// answers has command lines, each after a prompt, and what they print. A test of cmd/salint writes it.
//
//go:embed answers.txt
var answers string

// prompt comes before the arguments of each command line in answers.
const prompt = "\n$ salint"

// init ends the program if its command line has an answer. Go initializes packages in the order of their paths, as far as imports permit.
// This package imports only what os imports anyway, so it comes before nearly all libraries; with strings, it would come after half of them.
func init() {
	if len(os.Args) < 2 || isTest(os.Args[0]) || isTerminal(os.Stdout) {
		return
	}
	if code, answered := run(os.Args[1:], os.Stdout, os.Stderr); answered {
		os.Exit(code)
	}
}

// isTest returns whether a program is the test binary of a package, which has other flags.
func isTest(program string) bool {
	return hasSuffix(program, ".test") || hasSuffix(program, ".test.exe")
}

// isTerminal returns whether a file can be a terminal, where lines are broken at its width.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	none, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, none)
}

// run prints the answer, and returns the exit code. If nothing can be written, there is no answer, and main reports the error.
func run(args []string, out, errOut io.Writer) (code int, answered bool) {
	text, known := Answer(args)
	if !known {
		return 0, false
	}
	switch n, err := io.WriteString(out, text); {
	case err == nil:
		return 0, true
	case n == 0:
		return 0, false
	default:
		_, _ = io.WriteString(errOut, "salint: "+err.Error()+"\n")
		return exitError, true
	}
}

// Answer returns what the program prints to standard output for the arguments after its name, if that is known. The exit code is then 0.
func Answer(args []string) (text string, known bool) {
	line := commandLine(args)
	switch line {
	case "":
		return "", false
	case " version":
		return VersionLine(withoutV(Version)), Version != ""
	}
	header := prompt + line + "\n"
	begin := index(answers, header)
	if begin < 0 {
		return "", false
	}
	text = answers[begin+len(header):]
	if end := index(text, prompt); end >= 0 {
		text = text[:end+1]
	}
	if runtime.GOOS == "windows" && index(text, "[$") >= 0 {
		return "", false // how the help names an environment variable depends on the shell
	}
	return text, true
}

// commandLine returns the command line that prints the same as args, with a space before each word, if it can be one of answers.
func commandLine(args []string) (line string) {
	var words []string
	switch last := len(args) - 1; {
	case last < 0:
	case args[0] == "help":
		words = append(append(words, args[1:]...), "--help")
	case args[last] == "--help" || args[last] == "-h":
		words = append(append(words, args[:last]...), "--help")
	case last == 0 && (args[0] == "version" || args[0] == "--version"):
		words = []string{"version"}
	case last == 1 && args[0] == "completion":
		words = args
	}
	for _, word := range words {
		if !isPlain(word) {
			return ""
		}
		line += " " + word
	}
	return line
}

// isPlain returns whether a word has only letters and dashes: one with a space or a line end could be taken for several.
func isPlain(word string) bool {
	for i := range len(word) {
		if c := word[i]; c != '-' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// VersionLine returns what the program prints about a version without a leading v. Only a release has three numbers and perhaps a name such as
// rc.1; every other version is that of a build from source.
func VersionLine(version string) string {
	if isRelease(version) {
		return "salint " + version + "\n"
	}
	return "salint " + version + " (built from source)\n"
}

func isRelease(version string) bool {
	numbers, digits := 0, 0
	for i := 0; i < len(version); i++ {
		switch c := version[i]; {
		case c >= '0' && c <= '9':
			digits++
			continue
		case c == '.' && digits > 0 && numbers < 2:
			numbers, digits = numbers+1, 0
			continue
		case c == '-' && digits > 0 && numbers == 2 && i+1 < len(version):
			next := version[i+1]
			return next < '0' || next > '9' && version[i+1:] != "dirty"
		}
		return false
	}
	return numbers == 2 && digits > 0
}

func withoutV(version string) string {
	if version != "" && version[0] == 'v' {
		return version[1:]
	}
	return version
}

func hasSuffix(text, end string) bool {
	return len(text) >= len(end) && text[len(text)-len(end):] == end
}

// index returns where part, which is not empty, first occurs in a text, or -1.
func index(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i] == part[0] && text[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}
