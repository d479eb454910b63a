package process

import (
	"helm.sh/helm/v3/pkg/chart"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/render/protocol"
)

// variable finds the functions of templates whose result can be another one at another time: those that read the clock or the time
// zone, that make keys and certificates, that use chance, and that list the keys of a mapping in any order; and `tpl`, because what it
// evaluates can be put together from parts. Words in comments and literal text are found as well, which does no harm.
var variable = lazyregexp.New(`\b(tpl|now|ago|(must)?([tT]o)?[dD]ate(Modify|InZone)?|(must_)?date_(modify|in_zone)|htmlDate(InZone)?|duration(Round)?|` +
	`gen[A-Z]\w*|htpasswd|bcrypt|encryptAES|rand\w*|shuffle|uuidv4|keys|values|getHostByName)\b`)

// varies reports whether a chart may render differently at another time.
func varies(c *chart.Chart, request protocol.Chart) bool {
	return variable().MatchString(request.NameTemplate) || anyTemplate(c, variable().Match)
}
