package charts

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// failure is why a set cannot be rendered, and at which position. A problem of the chart itself fails all of its sets.
type failure struct {
	bare     *objects.Unit
	set      Set
	position objects.Position
	reason   string
	// refusal is the reason if the chart fails with these values on every cluster; otherwise "".
	refusal string
}

func newFailure(bare *objects.Unit, set Set, c content, err error) *failure {
	f := &failure{bare: bare, set: set, position: orChart(objects.Position{}, set.Chart), reason: err.Error()}
	if path.Ext(set.Chart) == ".tgz" {
		f.position.File = set.Chart
	}
	var fault *render.Error
	if errors.As(err, &fault) && fault.File != "" {
		f.position = objects.Position{File: fault.File, Line: max(fault.Line, 1), Column: max(fault.Column, 1)}
		f.reason = fault.Message
	}
	f.reason = shortened(strings.Join(strings.Fields(f.reason), " "))
	if set.Applied && strings.Contains(f.reason, failedCall) && c.isFixed(set) {
		f.refusal = strings.TrimPrefix(f.reason, "helm: ")
	}
	return f
}

// failedCall begins Helm's message about a call of fail or required.
const failedCall = "execution error at ("

// changing is what a chart can render differently from time to time, or from cluster to cluster, and what is filled in before the values are used.
var changing = lazyregexp.New(`Capabilities|\blookup\b|IsUpgrade|IsInstall|Revision|\bnow\b|\brand|uuid|\bgen[A-Z]|getHostByName|shuffle|bcrypt|htpasswd`)

// isFixed reports whether a chart renders the same on every cluster, as far as its templates and values show it.
func (c content) isFixed(set Set) bool {
	texts := slices.DeleteFunc(slices.Clone(c.files), func(f file) bool { return !strings.Contains("/"+f.name, "/templates/") })
	for _, f := range c.files {
		if path.Base(f.name) == "values.yaml" {
			texts = append(texts, f)
		}
	}
	for _, v := range set.Values {
		if bytes.Contains(v.Data, []byte("${")) {
			return false
		}
		texts = append(texts, file{v.Name, v.Data})
	}
	return !c.hidden && !c.incomplete(set.Chart) && !slices.ContainsFunc(texts, func(f file) bool { return changing().Match(f.data) })
}

// topic is equal for sets that fail for the same reason.
type topic struct {
	chart    string
	position objects.Position
	reason   string
	refused  bool
}

func (f *failure) topic() topic { return topic{f.set.Chart, f.position, f.reason, f.refusal != ""} }

// messagesOf returns one message for each reason, which lists the sets that fail for it.
func messagesOf(failures []*failure) map[topic]string {
	names := map[topic][]string{}
	for _, f := range failures {
		if f != nil {
			names[f.topic()] = append(names[f.topic()], f.set.Name)
		}
	}
	messages := map[topic]string{}
	for t, names := range names {
		slices.Sort(names)
		subject := "the chart " + names[0]
		if !strings.HasPrefix(names[0], t.chart) { // the name of an application
			subject = fmt.Sprintf("the chart %s of %s", t.chart, names[0])
		}
		if len(names) > 1 {
			subject = fmt.Sprintf("the chart %s, with %d sets of values (%s),", t.chart, len(names), listed(t.chart, names))
		}
		messages[t] = fmt.Sprintf("%s was not checked, because it cannot be rendered: %s", subject, t.reason)
	}
	return messages
}

// listed lists sets without their chart, shortened to one line.
func listed(chart string, names []string) string {
	const most = 4
	var short []string
	for i, name := range names {
		if i == most && len(names) > most+1 {
			short = append(short, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		if name == chart {
			name = "its own"
		}
		short = append(short, strings.TrimPrefix(name, chart+" with "))
	}
	return strings.Join(short, "; ")
}

// maxReason is the number of bytes of Helm's message that are shown, because the message can quote the whole file.
const maxReason = 600

func shortened(reason string) string {
	if len(reason) <= maxReason {
		return reason
	}
	cut := maxReason
	for cut > 0 && reason[cut]&0xC0 == 0x80 { // not within a code point
		cut--
	}
	return reason[:cut] + "…"
}
