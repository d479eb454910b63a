package deniedtext

import (
	"cmp"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// FieldConflict: server-side apply finds that another manager owns the account, with another value.
const FieldConflict FieldProblem = "conflict"

// The texts of the API server about conflicts, which name managers and fields, and never the object.
// https://github.com/kubernetes/kubernetes/blob/v1.34.4/staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/conflict.go
var (
	conflicts = lazyregexp.New(`Apply\s+failed\s+with\s+\d+\s+conflicts?:`)
	// ofManager is a manager with its fields. Only one that updates has an API version, and sometimes a time.
	ofManager = lazyregexp.New(`conflicts?\s+with\s+\\*"([^"\\\n]+)\\*"(?:\s+with\s+subresource\s+\\*"[^"\\\n]+\\*")?(?:\s+using\s+([^\s:]+)(?:\s+at\s+\S+)?)?:` +
		`((?:(?:\s|\\n)+(?:-\s+)?\.[^\s\\"',;]+)+)`)
	// conflictField is the account among the fields of a manager.
	conflictField = lazyregexp.New(`\.` + accountPath + `(?:[\s\\]|$)`)
	// conflictObject is how clients name the object before the text: Flux (Kind/name), and Helm.
	conflictObject = lazyregexp.New(`\b([A-Z]\w+)/(?:[a-z0-9.-]+/)?([a-z0-9][a-z0-9.-]*)\s|\sobject\s+\S*?/([a-z0-9.-]+)\s+\S+,\s+Kind=(\w+)`)
)

// conflictMessages reads the conflicts of server-side apply about the account of an extension.
func (r *reading) conflictMessages(about string) {
	found := r.groups(conflicts().FindAllStringSubmatchIndex(r.text, -1))
	for i, m := range found {
		end := min(len(r.text), m.end+maxFields)
		if i+1 < len(found) {
			end = min(end, found[i+1].start)
		}
		kind, name := conflicting(r.text[:m.start])
		if kind != "" && kind != "ClusterExtension" {
			continue
		}
		for _, match := range ofManager().FindAllStringSubmatchIndex(r.text[m.end:end], -1) {
			entry := groups{text: r.text[m.end:end], index: match, span: span{m.start, m.end + match[1]}}
			field := conflictField().FindStringSubmatch(entry.group(3))
			if version := entry.group(2); field == nil || version != "" && !strings.HasPrefix(version, "olm.operatorframework.io/") {
				continue
			}
			r.addField(entry, FieldMessage{
				Problem: FieldConflict, Extension: cmp.Or(name, about, r.loggedIn(m.span)), Field: field[1], Manager: entry.group(1),
			})
		}
	}
}

// conflicting returns the object that a client names last in the line before the text of the API server; "" if it names none.
func conflicting(before string) (kind, name string) {
	line := before[max(strings.LastIndexByte(before, '\n')+1, len(before)-maxObject):]
	all := conflictObject().FindAllStringSubmatch(line, -1)
	if len(all) == 0 {
		return "", ""
	}
	last := all[len(all)-1]
	return cmp.Or(last[1], last[4]), cmp.Or(last[2], last[3])
}
