package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/internal/output/help"
)

// The names of commands are separated from their descriptions, however long they are.
func TestHelpSeparatesNames(t *testing.T) {
	t.Parallel()
	var check func(line string, commands []*cli.Command)
	check = func(line string, commands []*cli.Command) {
		if len(commands) == 0 {
			return
		}
		help := runLine(t.TempDir(), strings.TrimSpace(line+" --help"))
		for _, c := range commands {
			if !c.Hidden && !regexp.MustCompile(`(?m)^   `+c.Name+` +`+regexp.QuoteMeta(c.Usage)+`$`).MatchString(help) {
				t.Errorf("salint %s --help: %s is not separated from its description:\n%s", line, c.Name, help)
			}
			check(strings.TrimSpace(line+" "+c.Name), c.Subcommands)
		}
	}
	check("", newCommand().app().Commands)
}

// The help of a command fits a screen, and no line of any help is wider than a page.
func TestHelpFitsAScreen(t *testing.T) {
	t.Parallel()
	var check func(line string, commands []*cli.Command)
	check = func(line string, commands []*cli.Command) {
		for _, c := range commands {
			for _, flag := range []string{"--help", arguments.HelpAllFlag} {
				text := runLine(t.TempDir(), line+c.Name+" "+flag)
				lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				if flag == "--help" && len(lines) > 45 {
					t.Errorf("salint %s%s --help has %d lines, want at most 45", line, c.Name, len(lines))
				}
				for _, l := range lines {
					if n := utf8.RuneCountInString(l); n > help.Width && !strings.HasPrefix(strings.TrimSpace(l), "salint ") {
						t.Errorf("salint %s%s %s has a line of %d columns: %s", line, c.Name, flag, n, l)
					}
				}
			}
			check(line+c.Name+" ", c.Subcommands)
		}
	}
	check("", newCommand().app().Commands)
	if n := strings.Count(runLine(t.TempDir(), "--help"), "\n"); n > 45 {
		t.Errorf("salint --help has %d lines, want at most 45", n)
	}
}

// The help of the program lists each command once.
func TestCommandsAreInGroups(t *testing.T) {
	t.Parallel()
	var grouped []string
	for _, g := range commandhelp.CommandGroups {
		grouped = append(grouped, g.Commands...)
	}
	want := arguments.CommandNames(newCommand().app().Commands)
	slices.Sort(grouped)
	slices.Sort(want)
	if diff := cmp.Diff(want, grouped); diff != "" {
		t.Errorf("(-commands +groups):\n%s", diff)
	}
}

// What people of other tools type leads to the right command, flag, or rule.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"fix": "salint lint --fix?", "check": "salint lint?", "scan": "salint lint?", "fs": "salint lint?", "checks": "salint rules?", "lnt": "did you mean lint?", "frobnicate": `"frobnicate"; see`,
		"lint --dry-run": "--diff?", "lint -f json": "--format?", "lint --json": "--format json?", "plan --json": "--format json?", "demo --json": "--json; see",
		"--dry-run": "salint lint --diff", "-f json": "--format after a command", "plan --dry-run": "salint lint --diff", "diff --base main": "salint diff main",
		"baseline": "--write-baseline?", "who can": "who-can?", "who-can cluster-admin": "--become cluster-admin", "policy tset": "use one of init, test, eval", "plan -o csv": "--reports",
		"rules cluster-admin": "olm/cluster-admin-grant, or rbac/cluster-admin-grant?", "rules token": "salint rules 'token/*'", "rules a": `"a"; see salint rules`,
	} {
		if got := runLine(t.TempDir(), line); !strings.Contains(got, want) {
			t.Errorf("salint %s: no %q in %s", line, want, got)
		}
	}
}

// Every visible flag is in exactly one group, and the groups name no other.
func TestFlagsAreInGroups(t *testing.T) {
	t.Parallel()
	for name, groups := range commandhelp.Groups {
		var grouped, want []string
		for _, g := range groups {
			grouped = slices.Concat(grouped, g.First, g.Rest)
		}
		for _, c := range newCommand().app().Commands {
			if c.Name != name {
				continue
			}
			for _, flag := range slices.Concat(c.Flags, []cli.Flag{cli.HelpFlag}) {
				want = append(want, flag.Names()[0])
			}
		}
		slices.Sort(grouped)
		slices.Sort(want)
		if diff := cmp.Diff(want, grouped); diff != "" {
			t.Errorf("%s (-flags +groups):\n%s", name, diff)
		}
	}
}
