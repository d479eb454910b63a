package main

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/salint/salint/test/wording"
)

// maxProblem is the greatest length, in characters, of a message without its remedy. The rules have a stricter limit for
// their examples, whose names are short.
const maxProblem = 220

// TestMessagesInReportsAreShort checks the messages of all JSON reports among the golden cases. It sees what the rules'
// own test does not: texts that Go code writes, and what is appended to the message of a rule.
func TestMessagesInReportsAreShort(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, name := range fixtures.Names(t) {
		for line := range strings.Lines(fixtures.Read(t, name)["out"]) {
			message, ok := messageOf(line)
			if !ok {
				continue
			}
			checked++
			problem, ok := wording.BeforeRemedy(message)
			if !ok {
				problem = message
			}
			if n := utf8.RuneCountInString(problem); n > maxProblem {
				t.Errorf("%s: %d characters before the remedy, of at most %d:\n%s", name, n, maxProblem, message)
			}
		}
	}
	if checked == 0 {
		t.Error("no case has a JSON report")
	}
}

// messageOf returns the message on a line of an indented JSON report.
func messageOf(line string) (message string, ok bool) {
	value, ok := strings.CutPrefix(strings.TrimSpace(line), `"message": `)
	if !ok {
		return "", false
	}
	err := json.Unmarshal([]byte(strings.TrimSuffix(value, ",")), &message)
	return message, err == nil
}
