package fastpath

import (
	"errors"
	"strings"
	"testing"
)

// The answers themselves are compared in cmd/salint, with the commands.

func TestVersion(t *testing.T) {
	for linked, want := range map[string]string{"v0.1.0-3-gabcdef0": "salint 0.1.0-3-gabcdef0 (built from source)\n", "abcdef0": "salint abcdef0 (built from source)\n", "v0.1.0": "salint 0.1.0\n", "": ""} {
		Version = linked
		for _, arg := range []string{"version", "--version"} {
			text, known := Answer([]string{arg})
			if known && text != want || known != (linked != "") {
				t.Errorf("salint %s, linked as %q: %q, %v", arg, linked, text, known)
			}
		}
	}
	Version = ""
}

func TestIsTest(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]bool{
		"/tmp/go-build1/b001/salint.test": true, `C:\salint.test.exe`: true, "salint": false, "/usr/bin/salint": false, "salint.exe": false, "": false,
	} {
		if got := isTest(program); got != want {
			t.Errorf("%q: %v", program, got)
		}
	}
}

// limitedWriter fails after a number of bytes.
type limitedWriter struct {
	strings.Builder
	left int
}

func (w *limitedWriter) Write(data []byte) (int, error) {
	n := min(len(data), w.left)
	w.left -= n
	w.Builder.Write(data[:n])
	if n < len(data) {
		return n, errors.New("write /dev/stdout: no space left on device")
	}
	return n, nil
}

// WriteString hides the method of the builder, which has no limit.
func (w *limitedWriter) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

func TestRun(t *testing.T) {
	t.Parallel()
	help, known := Answer([]string{"--help"})
	if !known || !strings.HasPrefix(help, "salint - ") || !strings.HasSuffix(help, "\n") {
		t.Fatalf("%v\n%s", known, help)
	}
	const message = "salint: write /dev/stdout: no space left on device\n"
	tests := []struct {
		name, line  string
		left        int
		code        int
		answered    bool
		out, errOut string
	}{
		{"a known answer", "--help", 1 << 20, 0, true, help, ""},
		{"another command line", "lint", 1 << 20, 0, false, "", ""},
		{"nothing can be written: main reports it", "--help", 0, 0, false, "", ""},
		{"a part is written: main would write it again", "--help", 7, exitError, true, help[:7], message},
	}
	for _, test := range tests {
		var errOut strings.Builder
		out := &limitedWriter{left: test.left}
		code, answered := run(strings.Fields(test.line), out, &errOut)
		if code != test.code || answered != test.answered || out.String() != test.out || errOut.String() != test.errOut {
			t.Errorf("%s: exit code %d, %v\n%s\n%s", test.name, code, answered, out, &errOut)
		}
	}
}

func TestVersionLine(t *testing.T) {
	t.Parallel()
	for version, isRelease := range map[string]bool{
		"0.1.0": true, "1.22.333": true, "0.1.0-rc.1": true, "0.0.0-SNAPSHOT-abcdef0": true,
		"0.1.0-3-gabcdef0": false, "0.1.0-dirty": false, "abcdef0": false, "1234567": false, "devel": false, "0.1": false, "": false, "0.1.0-": false,
		"0.1.0.1": false,
	} {
		want := "salint " + version + " (built from source)\n"
		if isRelease {
			want = "salint " + version + "\n"
		}
		if got := VersionLine(version); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
