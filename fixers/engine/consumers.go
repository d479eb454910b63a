package engine

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/assemble/consumers"
	"github.com/salint/salint/internal/config/finding"
)

// DeclareConsumers makes the plans unsafe that change a file which something that salint does not build reads as well: their effect is proven only in
// the units that salint builds. It refuses to prune there without --unsafe-fixes, and to change a file that a program writes.
func (w *Work) DeclareConsumers(c *Context) {
	var refused []Refused
	for _, p := range w.Plans() {
		if len(p.ReadElsewhere) > 0 {
			continue
		}
		consumer, file, ok := c.consumerOf(p)
		switch {
		case !ok:
		case consumer.Writes:
			refused = append(refused, Refused{p, fmt.Sprintf("%s is not edited: %s: change its source instead", file, writes(consumer))})
		case p.Kind != finding.Prune || c.Policy.Unsafe:
			p.declareConsumer(consumer)
		case !slices.ContainsFunc(p.Needs, isUnsafe): // without the plan that it needs, it is not carried out anyway
			refused = append(refused, Refused{p, fmt.Sprintf("%s is not edited: %s: use --unsafe-fixes if nothing there needs what is removed", file, consumer)})
		}
	}
	w.refuse(refused)
}

func isUnsafe(p *Plan) bool { return p.Kind == finding.Unsafe }

func (p *Plan) declareConsumer(consumer consumers.Consumer) {
	p.ReadElsewhere = append(p.ReadElsewhere, consumer.Place)
	if p.Kind == finding.Safe {
		p.Kind = finding.Unsafe
		p.Description += fmt.Sprintf("; not safe because %s", consumer)
	}
	p.AddNote("%s: check what it applies", consumer)
}

// writes says which program writes a file, without a full stop.
func writes(consumer consumers.Consumer) string {
	if consumer.Program == "" {
		return fmt.Sprintf("the comment at %s marks it as generated, so the change would be lost", consumer.Place)
	}
	return fmt.Sprintf("%s, so the change would be lost", consumer)
}

// consumerOf returns a consumer of a file that a plan changes or adds to, first one that writes it.
func (c *Context) consumerOf(p *Plan) (found consumers.Consumer, file string, ok bool) {
	files := p.files()
	slices.Sort(files)
	for _, name := range slices.Compact(files) {
		consumer, is := c.Lookups.Consumer(name)
		if is && (!ok || consumer.Writes && !found.Writes) {
			found, file, ok = consumer, name, true
		}
	}
	return found, file, ok
}
