package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/cmd/salint/internal/arguments"
)

func TestReorder(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                               "",
		"--version":                      "--version",
		"lint":                           "lint --",
		"lint a --fix b":                 "lint --fix -- a b",
		"lint a --target olm-1.11 b":     "lint --target olm-1.11 -- a b",
		"lint a --target=olm-1.11":       "lint --target=olm-1.11 -- a",
		"lint a --target= b":             "lint --target= -- a b",
		"lint - --fix":                   "lint --fix -- -",
		"lint --target - a":              "lint --target - -- a",
		"lint --fix -- --diff -":         "lint --fix -- --diff -",
		"lint -h":                        "lint -h",
		"lint a --target b -h c":         "lint -h",
		"lint --fx a":                    "lint --fx -- a",
		"lint a --policy p b --policy q": "lint --policy p --policy q -- a b",
		"policy test a --help":           "policy test --help",
		"policy tst --help":              "policy --help -- tst",
		"nothing --fix":                  "nothing --fix",
	} {
		got, err := arguments.Reorder((&command{}).app(), strings.Fields(line))
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", line, err, diff)
		}
	}
}

func TestReorderReportsMissingValues(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"lint --target":          "flag needs an argument: --target; see salint lint --help",
		"lint a --baseline":      "flag needs an argument: --baseline; see salint lint --help",
		"lint -target":           "flag needs an argument: --target; see salint lint --help",
		"lint --target -- a":     "flag needs an argument: --target; see salint lint --help",
		"lint --target --fix":    "flag needs an argument: --target; write a value that begins with a dash as --target=--fix",
		"lint --policy a --now":  "flag needs an argument: --now; see salint lint --help",
		"rules --policy --help":  "flag needs an argument: --policy; write a value that begins with a dash as --policy=--help",
		"lint --output -o x.txt": "flag needs an argument: --output; write a value that begins with a dash as --output=-o",
	} {
		got, err := arguments.Reorder((&command{}).app(), strings.Fields(line))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %q, %v; want the error %q", line, got, err, want)
		}
	}
}
