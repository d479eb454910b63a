package deniedtext

import "github.com/salint/salint/internal/base/lazyregexp"

// missingAccount matches what is said about an account that does not exist. The admission of pods (k8s.io/kubernetes,
// plugin/pkg/admission/serviceaccount) and operator-controller add the namespace, other programs only the name.
var missingAccount = lazyregexp.New(`(?i)(?:[\w.]+\s+\\*"[^"\n]*"\s+is\s+forbidden:\s+)?` +
	`(?:error\s+looking\s+up\s+service\s+account\s+([a-z0-9.-]+)/[a-z0-9.-]+:\s+)?` +
	`service\s?accounts?\s+\\*"([^"\\\n]*)\\*"\s+(?:is\s+)?not\s+found(?:\s+in\s+namespace\s+\\*"([^"\\\n]*)\\*")?`)

// accounts reads which accounts do not exist, as NAMESPACE/NAME, or as NAME if the text has no namespace.
func (r *reading) accounts() {
	for _, match := range missingAccount().FindAllStringSubmatchIndex(r.text, -1) {
		group := func(n int) string {
			if match[2*n] < 0 {
				return ""
			}
			return r.text[match[2*n]:match[2*n+1]]
		}
		name, namespace := group(2), group(1)+group(3)
		if name == "" || !printable(name+namespace) {
			continue
		}
		if namespace != "" {
			name = namespace + "/" + name
		}
		r.absent[name] = true
		r.spans = append(r.spans, span{match[0], match[1]})
	}
}
