package arguments

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/base/nearest"
)

// UsageError prevents the library from printing the whole help for a mistyped flag.
func UsageError(ctx *cli.Context, err error, _ bool) error {
	name := ctx.App.Name
	if ctx.Command != nil && ctx.Command.HelpName != "" {
		name = ctx.Command.HelpName
	}
	return fmt.Errorf("%s; see %s --help", flagErrorText(ctx, err.Error()), name)
}

// The errors of the library have no types, and name flags with one dash.
const undefinedFlag = "flag provided but not defined: -"

var (
	twoForms     = regexp.MustCompile(`^Cannot use two forms of the same flag: (\S+) (\S+)$`)
	invalidValue = regexp.MustCompile(`(?s)^invalid (boolean )?value (".*") for (?:flag )?-([a-z-]+): (.*)$`)
)

// flagErrorText returns the error of the library in the words of the other errors, with the names of flags as the help has them.
func flagErrorText(ctx *cli.Context, text string) string {
	if name, found := strings.CutPrefix(text, undefinedFlag); found {
		name = strings.TrimLeft(name, "-")
		return "unknown flag " + dashed(name) + nearestFlag(ctx, name)
	}
	if m := twoForms.FindStringSubmatch(text); m != nil {
		names := []string{dashed(m[1]), dashed(m[2])}
		slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
		return fmt.Sprintf("%s and %s are the same flag: pass only one of them", names[0], names[1])
	}
	if m := invalidValue.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("invalid value %s for %s: %s", m[2], dashed(m[3]), m[4])
	}
	return text
}

// nearestFlag suggests the flag that was probably meant. A single letter is like every other one, so it suggests nothing.
func nearestFlag(ctx *cli.Context, name string) string {
	isOfCommand := ctx.Command != nil && ctx.Command.Name != "" && ctx.Command.Name != ctx.App.Name
	if meant := meantFlag(ctx.Command, name); meant != "" {
		return " (did you mean --" + meant + "?)"
	}
	if meant := commandsOfFlags[strings.ToLower(name)]; meant != "" && !(isOfCommand && strings.HasPrefix(meant, "--")) {
		return " (did you mean " + meant + "?)"
	}
	if !isOfCommand {
		return ""
	}
	if utf8.RuneCountInString(name) < 2 {
		return ""
	}
	var known []string
	for _, flag := range ctx.Command.Flags {
		known = append(known, slices.DeleteFunc(slices.Clone(flag.Names()), isLetter)...)
	}
	if meant := nearest.Name(name, known); meant != "" {
		return " (did you mean --" + meant + "?)"
	}
	return ""
}

func isLetter(name string) bool { return utf8.RuneCountInString(name) == 1 }

// dashed returns the name of a flag as it is written: -q, --quiet.
func dashed(name string) string {
	if isLetter(name) {
		return "-" + name
	}
	return "--" + name
}
