package finding

// ProgramRules begins the names of the rules about what the program itself did.
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
	// RuleNotDelivered is about what Flux or Argo CD certainly fails to apply. Where it is off, the same is not checked.
	RuleNotDelivered = ProgramRule{"gitops/not-delivered", Warning}
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
