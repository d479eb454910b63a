package finding

// ProgramRules begins the names of the rules that have no policy.
const ProgramRules = "repo/"

// ProgramRule is a rule that has no policy: the program itself reports what it did not read, check or fix.
type ProgramRule struct {
	Name     string
	Severity Severity
}

// The rules of the program.
var (
	RuleUnparsable    = ProgramRule{"repo/unparsable", Error}
	RuleUnfixable     = ProgramRule{"repo/unfixable", Note}
	RuleNotChecked    = ProgramRule{"repo/not-checked", Note}
	RuleSettings      = ProgramRule{"repo/settings-changed", Note}
	RuleTargetUnknown = ProgramRule{"repo/target-unknown", Note}
	// RuleFailed is the rule about rules that failed. No baseline contains it.
	RuleFailed = ProgramRule{"repo/rule-failed", Error}
)

// AboutFile returns a finding about a file that concerns no object in it.
func AboutFile(rule ProgramRule, file string, at Range, message string) Finding {
	if at.EndLine == 0 {
		at.EndLine, at.EndColumn = at.Line, at.Column
	}
	return Finding{Rule: rule.Name, Severity: rule.Severity, Message: message, File: file, Range: at}
}
