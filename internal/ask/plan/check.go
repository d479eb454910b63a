package plan

import (
	"errors"
	"fmt"
	"slices"
)

// CheckStart returns an error or a warning if the current target of extensions is unknown, so that no transition
// begins there.
func (p *Plan) CheckStart(o Options) (warning string, err error) {
	undecided := p.Undecided()
	if o.To == "" || o.From != "" || len(undecided) == 0 {
		return "", nil
	}
	message := fmt.Sprintf("the current target of %s is unknown: set the start of the transition to %s with --from, for example --from olm-1.10, or `target:` in .salint.yaml",
		undecided[0], o.To)
	if len(undecided) == len(p.Extensions) {
		return "", errors.New(message)
	}
	if more := len(undecided) - 1; more > 0 {
		message = fmt.Sprintf("%s (the same applies to %d more)", message, more)
	}
	return message, nil
}

// IsUnknown reports whether the plan has no extension, possibly only because files with extensions could not be read.
func (p *Plan) IsUnknown() bool {
	return len(p.Extensions) == 0 && slices.ContainsFunc(p.NotChecked, func(r Remark) bool { return r.Rule == "repo/unparsable" })
}
