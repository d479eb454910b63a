package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// env returns a Getenv for pairs like NAME=value.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value
			}
		}
		return ""
	}
}

func TestColor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		when     When
		terminal bool
		env      func(string) string
		want     bool
	}{
		{"terminal", Auto, true, env("TERM=xterm"), true},
		{"no terminal", Auto, false, env("TERM=xterm"), false},
		{"dumb terminal", Auto, true, env("TERM=dumb"), false},
		{"NO_COLOR", Auto, true, env("NO_COLOR=1"), false},
		{"NO_COLOR is empty", Auto, true, env("NO_COLOR="), true},
		{"forced", Auto, false, env("CLICOLOR_FORCE=1"), true},
		{"forced off", Auto, false, env("CLICOLOR_FORCE=0"), false},
		{"NO_COLOR before force", Auto, true, env("NO_COLOR=1", "CLICOLOR_FORCE=1"), false},
		{"always before NO_COLOR", Always, false, env("NO_COLOR=1"), true},
		{"never before force", Never, true, env("CLICOLOR_FORCE=1"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := Output{Terminal: test.terminal, Getenv: test.env}
			if got := o.Color(test.when); got != test.want {
				t.Errorf("Color(%s) = %v, want %v", test.when, got, test.want)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		when     When
		terminal bool
		env      func(string) string
		want     bool
	}{
		{"terminal", Auto, true, env(), true},
		{"no terminal", Auto, false, env(), false},
		{"dumb terminal", Auto, true, env("TERM=dumb"), false},
		{"automation", Auto, true, env("CI=true"), false},
		{"always", Always, false, env("CI=true"), true},
		{"never", Never, true, env(), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := Output{Terminal: test.terminal, Getenv: test.env}
			if got := o.Progress(test.when); got != test.want {
				t.Errorf("Progress(%s) = %v, want %v", test.when, got, test.want)
			}
		})
	}
}

func TestParseWhen(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"auto", "always", "never"} {
		if got, err := ParseWhen("color", value); err != nil || string(got) != value {
			t.Errorf("ParseWhen(%q) = %q, %v", value, got, err)
		}
	}
	_, err := ParseWhen("color", "yes")
	if err == nil || !strings.Contains(err.Error(), `--color "yes"`) {
		t.Errorf("error %v does not name the flag and its value", err)
	}
}

func TestLookAtOtherWriters(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, o := range []Output{Look(file), Look(&bytes.Buffer{})} {
		if o.Terminal || o.Width != 0 {
			t.Errorf("a file or buffer is treated as a terminal: %+v", o)
		}
	}
}
