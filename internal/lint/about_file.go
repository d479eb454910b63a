package lint

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/manifest"
)

// aboutFile makes a finding that is about a file and no object in it.
func aboutFile(rule programRule, file string, at finding.Range, message string) finding.Finding {
	if at.EndLine == 0 {
		at.EndLine, at.EndColumn = at.Line, at.Column
	}
	return finding.Finding{Rule: rule.name, Severity: rule.severity, Message: message, File: file, Range: at}
}

// programRule is a rule whose findings do not come out of a policy.
type programRule struct {
	name     string
	severity finding.Severity
}

// ruleOrphaned is the rule for what nothing uses any more, also in the run that takes the use away.
const ruleOrphaned = "olm/installer-orphaned"

var (
	ruleUnparsable = programRule{"repo/unparsable", finding.Error}
	ruleUnfixable  = programRule{"repo/unfixable", finding.Note}
	ruleNotChecked = programRule{"repo/not-checked", finding.Note}
)

// unparsable reports a document that is not YAML. Text with placeholders of a template engine was never meant to be.
func unparsable(doc *manifest.Document, err error) finding.Finding {
	var syntax *manifest.SyntaxError
	if !errors.As(err, &syntax) {
		syntax = &manifest.SyntaxError{Line: 1, Column: 1, Message: err.Error()}
	}
	at := finding.Range{Line: syntax.Line, Column: syntax.Column}
	if bytes.Contains(doc.Bytes(), []byte("{{")) || bytes.Contains(doc.Bytes(), []byte("{%")) {
		return aboutFile(ruleNotChecked, doc.File.Path, at,
			"a text template, which is no YAML before it is filled in, was not checked: "+syntax.Message)
	}
	return aboutFile(ruleUnparsable, doc.File.Path, at,
		fmt.Sprintf("not valid YAML, so the document was not checked: %s", syntax.Message))
}
