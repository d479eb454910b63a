package deniedtext

import (
	"github.com/salint/salint/internal/base/lazyregexp"
)

// deprecation matches the line that the controller of a release logs for an extension whose account it ignores. It is about
// permissions, and no error.
var deprecation = lazyregexp.New(`\[DEPRECATION\][^\n]*?serviceAccount[^\n]*?ClusterExtension\s+\\*['"]([^'"\\\n]+)\\*['"][^\n]*?\bignored\b[^."\n]*\.?`)

// deprecations reads the lines about accounts that are ignored.
func (r *reading) deprecations() {
	for _, match := range deprecation().FindAllStringSubmatchIndex(r.text, -1) {
		name := r.text[match[2]:match[3]]
		if !printable(name) || anchor().MatchString(r.text[match[0]:match[1]]) {
			continue
		}
		r.ignored[name] = true
		r.spans = append(r.spans, span{match[0], match[1]})
	}
}
