package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
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
