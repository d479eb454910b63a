package deniedtext

import (
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// cut ends a message of operator-controller that is too long for a condition (common_controller.go).
const cut = "[message truncated]"

// span is a part of the text that was read.
type span struct{ start, end int }

// reading is the state of reading one part of the text.
type reading struct {
	*collector
	text  string
	spans []span
	// failed are the positions of sentences that could not be read.
	failed []int
}

// read adds the contents of a source. The mark of a truncated message ends a part: the text before it can be half a
// sentence, the text after it belongs to another message.
func (c *collector) read(s source) {
	parts := strings.Split(s.text, cut)
	for i, part := range parts {
		if i < len(parts)-1 {
			c.truncated = true
			part = strings.TrimRight(part, ". \n\t")
		}
		r := &reading{collector: c, text: part}
		r.incomplete = r.incomplete || maybeMore().MatchString(part)
		r.sentences()
		r.roles()
		r.owners()
		r.accounts()
		r.fieldMessages(s.about)
		r.aggregations()
		r.leftovers(s.quiet)
	}
}

func (r *reading) sentences() {
	end := 0
	for _, match := range anchor().FindAllStringIndex(r.text, -1) {
		if match[0] < end {
			continue
		}
		c := &cursor{text: r.text, at: match[0]}
		start, state := r.sentence(c, end)
		if state == broken {
			r.failed = append(r.failed, start)
		}
		if state == read || state == partial {
			r.spans = append(r.spans, span{start, c.at})
			end = c.at
		}
		if state == partial {
			c.space()
			r.failed = append(r.failed, c.at)
		}
		if (state == broken || state == partial) && c.short {
			r.truncated = true
		}
	}
}

// sentence reads a sentence from its anchor on, and returns its start, which is before the anchor if it contains an object,
// but after the end of the previous sentence.
func (r *reading) sentence(c *cursor, before int) (int, outcome) {
	start := c.at
	if strings.HasPrefix(r.text[start:], "Namespace:") {
		m, state := listed(c)
		if state == read {
			r.add(m)
		}
		return start, state
	}
	c.at += len("user")
	c.space()
	user, ok := c.quoted()
	if !ok || !c.space() {
		return start, other
	}
	asked := *c
	if m, state := refused(c, user); state != other {
		return r.refusal(start, before, m, state)
	}
	*c = asked
	return r.grant(c, start, before, user)
}

func (r *reading) refusal(start, before int, m Missing, state outcome) (int, outcome) {
	if state != read {
		return start, state
	}
	o, named := objectBefore(r.text, before, start)
	m.Why = "the API server denied it"
	if named {
		start = o.start
		m.Rule.ResourceNames = o.nameFor(m.Rule)
		m.Why = "the API server denied it: " + o.String()
	}
	r.identity(m.User, nil)
	r.add(m)
	return start, read
}

func (r *reading) grant(c *cursor, start, before int, user string) (int, outcome) {
	groups, rules, state := escalation(c)
	if state != read && state != partial {
		return start, state
	}
	m := Missing{User: user, Escalation: true, Why: "it is granted to another subject"}
	o, named := objectBefore(r.text, before, start)
	if named {
		start = o.start
		m.Why = "it is granted to another subject by " + o.String()
	}
	m.Namespace = o.namespaceOfGrant()
	r.identity(user, groups)
	for _, rule := range rules {
		m.Rule = rule
		r.add(m)
	}
	return start, state
}

// notFound matches how Kubernetes reports a bound role that does not exist.
var notFound = lazyregexp.New(`((?:cluster)?role)s?\.rbac\.authorization\.k8s\.io\s+\\*"([^"\\]*)\\*"\s+not\s+found`)

func (r *reading) roles() {
	for _, match := range notFound().FindAllStringSubmatchIndex(r.text, -1) {
		name := r.text[match[4]:match[5]]
		if !printable(name) {
			continue
		}
		r.unresolved[r.text[match[2]:match[3]]+` "`+name+`"`] = true
		r.spans = append(r.spans, span{match[0], match[1]})
	}
}
