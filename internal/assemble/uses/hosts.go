package uses

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// hostEndings are the last labels of common host names. Others are known as hosts only by what precedes them.
var hostEndings = []string{
	"com", "org", "net", "io", "dev", "app", "cloud", "edu", "gov", "eu", "de", "fr", "uk", "us", "ch", "nl", "example", "test", "invalid",
	"localhost", "local", "internal", "lan", "corp", "intranet", "svc",
}

// isHost reports whether a dotted token is the name of a host, whose labels mean no accounts. The identities of Linkerd begin with an account.
func isHost(before, token []byte) bool {
	labels := strings.Split(strings.ToLower(string(token)), ".")
	if slices.Contains(labels, "serviceaccount") {
		return false
	}
	last := labels[len(labels)-1]
	return schemeBefore().Match(before[max(0, len(before)-maxScheme):]) || slices.Contains(hostEndings, last) && len(labels) > 2
}

// schemeBefore matches the beginning of an address up to its host.
var schemeBefore = lazyregexp.New(`\b(?:https?|wss?|tcp|udp|grpcs?|ssh|amqps?|rediss?|postgres(?:ql)?|mysql|nats|ldaps?)://$`)

// maxScheme is how much of the text before a host is read.
const maxScheme = 16
