package commandhelp

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// CommandGroups are the commands by what they are for.
var CommandGroups = []struct {
	Title    string
	Commands []string
}{
	{"CHECK AND FIX", []string{"lint", "plan", "diff", "report"}},
	{"PERMISSIONS", []string{"can-i", "who-can", "uses", "graph"}},
	{"OPERATORS", []string{"preflight", "bundle-diff"}},
	{"RULES AND SETTINGS", []string{"rules", "targets", "policy", "init", "schema"}},
	{"MORE", []string{"build", "lsp", "demo", "completion", "version"}},
}

// OfApp returns the help of the program.
func OfApp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\n%s\n\nUSAGE:\n   %s COMMAND [FLAGS] [ARGUMENTS]\n\n", app.Name, app.Usage, app.Description, app.Name)
	for _, g := range CommandGroups {
		fmt.Fprintf(&b, "%s:\n", g.Title)
		for _, name := range g.Commands {
			fmt.Fprintf(&b, "   %-12s%s\n", name, app.Command(name).Usage)
		}
	}
	return b.String() + `
EXIT CODES:
   0   no findings at or above --fail-on; or: yes, nothing is missing
   1   findings, lint --diff printed a change, or a policy test failed; or: no, something is missing
   2   usage error, unreadable input, or internal error
   130 interrupted by Ctrl-C; 128 and the number of the signal for others

EXAMPLES:
   salint lint --fix --target olm-1.11 clusters/
   salint diff main
salint COMMAND --help, and https://github.com/salint/salint#readme
`
}
