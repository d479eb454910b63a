package grants

import (
	"bytes"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

var (
	// calledKind matches the kind of a subject as an argument of a call, and calledSubject the call of a program that makes one.
	calledKind    = lazyregexp.New(`["']ServiceAccount["']`)
	calledSubject = lazyregexp.New(`(?i)subject\w*\s*[.(]`)
	calledName    = lazyregexp.New(`["']([^"'\s]+)["']`)
)

// called returns the subjects that a line of a program makes with a call, such as addNewSubject(GROUP, "ServiceAccount", NAME, NAMESPACE) or
// withKind("ServiceAccount") + withName(NAME): each of its texts can be the name.
func (t text) called(i int, at func(line int) objects.Position) []Grant {
	line := t.lines[i]
	if !t.isProgram || !calledKind().Match(line) || !calledSubject().Match(line) {
		return nil
	}
	around := bytes.Join(t.lines[max(0, i-linesBefore):min(len(t.lines), i+linesAfter)], []byte("\n"))
	if !bindingWord().Match(around) {
		return nil
	}
	var found []Grant
	for _, m := range calledName().FindAllSubmatch(line, -1) {
		if name := string(m[1]); name != rbac.KindServiceAccount && !strings.Contains(name, rbac.Group) {
			found = append(found, Grant{Position: at(i), Subject: rbac.Subject{Kind: rbac.KindServiceAccount, Name: filledIn(name)}})
		}
	}
	if len(found) == 0 {
		found = append(found, Grant{Position: at(i), Subject: rbac.Subject{Kind: rbac.KindServiceAccount, Name: Unknown}})
	}
	return found
}
