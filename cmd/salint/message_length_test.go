package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/test/wording"
)

// maxProblem is the greatest length, in characters apart from names, of a message without its remedy. The rules have a stricter limit
// for their examples, whose names are short.
const maxProblem = 200

// longer are the limits of rules that have longer messages. They only ever become smaller.
var longer = map[string]int{
	"olm/cluster-admin-grant":    226,
	"olm/fields-immutable":       205,
	"olm/installer-orphaned":     208,
	"olm/synthetic-placeholder":  231,
	"repo/not-checked":           217,
	"repo/unfixable":             272,
	"olm/controller-permissions": 252,
	"rbac/escalation-verbs":      244,
	"grafana/instance-not-found": 205,
}

// TestMessagesInReportsAreShort checks the messages of all text and JSON reports among the golden cases. It sees what the rules'
// own test does not: texts that Go code writes, and what is appended to the message of a rule.
func TestMessagesInReportsAreShort(t *testing.T) {
	t.Parallel()
	checked := 0
	longest := map[string]int{}
	for _, name := range fixtures.Names(t) {
		rule := ""
		for line := range strings.Lines(fixtures.Read(t, name)["out"]) {
			if value, ok := jsonString(line, "rule"); ok {
				rule = value
			}
			message, ok := jsonString(line, "message")
			if found := reportLine.FindStringSubmatch(line); found != nil {
				message, rule, ok = found[1], found[2], true
			}
			if !ok {
				continue
			}
			checked++
			n := wording.Length(problemOf(rule, message))
			longest[rule] = max(longest[rule], n)
			if n > max(maxProblem, longer[rule]) {
				t.Errorf("%s: %d characters before the remedy, of at most %d:\n%s", name, n, max(maxProblem, longer[rule]), message)
			}
		}
	}
	if checked == 0 {
		t.Error("no case has a report")
	}
	for rule, limit := range longer {
		if longest[rule] < limit || limit <= maxProblem {
			t.Errorf("%s: the longest message has %d characters: lower its limit of %d", rule, longest[rule], limit)
		}
	}
}

// reportLine is a finding in a text report.
var reportLine = regexp.MustCompile(`^\S+:\d+:\d+: (?:error|warning|note): (.*) \[([a-z]+/[a-z-]+)\]\n$`)

func problemOf(rule, message string) string {
	if problem, ok := wording.BeforeRemedy(message); ok {
		return problem
	}
	if rule == "repo/unfixable" {
		return wording.BeforeRefusalRemedy(message)
	}
	return message
}

// jsonString returns the value of a key on a line of an indented JSON report.
func jsonString(line, key string) (value string, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), `"`+key+`": `)
	if !ok {
		return "", false
	}
	err := json.Unmarshal([]byte(strings.TrimSuffix(text, ",")), &value)
	return value, err == nil
}
