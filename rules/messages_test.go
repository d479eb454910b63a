package rules

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxProblem is the greatest length, in characters, of the problem and the consequence in a message.
const maxProblem = 200

// remedyVerbs begin the remedy of a message, an imperative.
var remedyVerbs = regexp.MustCompile(`^(Add|Align|Apply|Bind|Change|Check|Configure|Correct|Create|Delete|Give|Grant|Keep|Leave|List|Move|Name|Narrow|` +
	`Patch|Pin|Project|Put|Remove|Rename|Replace|Restrict|Review|Run|Set|Take|Turn|Upgrade|Use|Write) `)

// sentenceEnd is the end of a sentence: the next one begins with a capital letter, or with a name such as olm-1.11.
var sentenceEnd = regexp.MustCompile(`\. `)

func TestMessagesAreShort(t *testing.T) {
	t.Parallel()
	registry, err := Load(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range registry.Rules() {
		if rule.Scope == ScopeProgram {
			continue
		}
		for _, message := range exampleMessages(t, registry, rule) {
			problem, ok := beforeRemedy(message)
			if !ok {
				t.Errorf("%s: the message does not end with a remedy that begins with a verb:\n%s", rule.Name, message)
				continue
			}
			if n := utf8.RuneCountInString(problem); n > maxProblem {
				t.Errorf("%s: %d characters before the remedy, of at most %d:\n%s", rule.Name, n, maxProblem, message)
			}
		}
	}
}

// exampleMessages returns the messages of a rule for its bad examples.
func exampleMessages(t *testing.T, registry *Registry, rule Rule) []string {
	t.Helper()
	evaluator, err := registry.Evaluator(context.Background(), []string{rule.Name})
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, example := range rule.Examples {
		ec, err := exampleContext(example)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := evaluator.evaluateUnit(context.Background(), ec)
		if err != nil {
			t.Fatal(err)
		}
		for _, report := range reports {
			messages = append(messages, report.Message)
		}
	}
	return messages
}

// beforeRemedy returns what precedes the first sentence that is a remedy.
func beforeRemedy(message string) (string, bool) {
	start := 0
	for _, end := range sentenceEnd.FindAllStringIndex(message, -1) {
		if start > 0 && remedyVerbs.MatchString(message[start:]) {
			break
		}
		start = end[1]
	}
	return strings.TrimSpace(message[:start]), start > 0 && remedyVerbs.MatchString(message[start:])
}

func TestBeforeRemedy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		message, problem string
		ok               bool
	}{
		{"Role a is wrong. Remove it.", "Role a is wrong.", true},
		{"Role a is of v1.10. It fails. Remove it. Create another.", "Role a is of v1.10. It fails.", true},
		{"Role a is wrong. It fails.", "", false},
		{"Remove it.", "", false},
	} {
		problem, ok := beforeRemedy(test.message)
		if ok != test.ok || ok && problem != test.problem {
			t.Errorf("%q: got %q, %t", test.message, problem, ok)
		}
	}
}
