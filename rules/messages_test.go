package rules_test

import (
	"context"
	"testing"
	"unicode/utf8"

	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/examples"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/test/wording"
)

// maxProblem is the greatest length, in characters, of the problem and the consequence in a message.
const maxProblem = 200

func TestMessagesAreShort(t *testing.T) {
	t.Parallel()
	registry, err := rules.Load(context.Background(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range registry.Rules() {
		if rule.Scope == metadata.ScopeProgram {
			continue
		}
		for _, message := range exampleMessages(t, registry, rule) {
			problem, ok := wording.BeforeRemedy(message)
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
func exampleMessages(t *testing.T, registry *rules.Registry, rule metadata.Rule) []string {
	t.Helper()
	evaluator, err := registry.Evaluator(context.Background(), []string{rule.Name})
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, example := range rule.Examples {
		ec, err := examples.Context(example)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := examples.EvaluateUnit(context.Background(), evaluator, ec)
		if err != nil {
			t.Fatal(err)
		}
		for _, report := range reports {
			messages = append(messages, report.Message)
		}
	}
	return messages
}
