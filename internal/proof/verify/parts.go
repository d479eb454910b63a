package verify

import (
	"context"
	"maps"
	"runtime"

	"github.com/salint/salint/internal/base/parallel"
)

// inParts calls work with 0 to n-1. The numbers are divided into parts in their order, and each part has a separate examiner, so that
// parts run at the same time; what they find is joined in the order of the numbers.
func (e *examiner) inParts(n int, work func(part *examiner, i int)) {
	parts := make([]*examiner, min(n, runtime.GOMAXPROCS(0)))
	// The context is never done, so there is no error.
	_ = parallel.Do(context.Background(), len(parts), func(p int) {
		part := e.part()
		for i := p * n / len(parts); i < (p+1)*n/len(parts); i++ {
			work(part, i)
		}
		parts[p] = part
	})
	for _, part := range parts {
		e.join(part)
	}
}

// part returns an examiner that knows what is known, and has found nothing.
func (e *examiner) part() *examiner {
	part := *e
	part.violations, part.hasViolation, part.groups = nil, maps.Clone(e.hasViolation), maps.Clone(e.groups)
	part.permissions.Identities, part.permissions.Extensions, part.permissions.Unlimited = nil, nil, nil
	return &part
}

// join adds what a part has found.
func (e *examiner) join(part *examiner) {
	e.violations = append(e.violations, part.violations...)
	maps.Copy(e.hasViolation, part.hasViolation)
	maps.Copy(e.groups, part.groups)
	e.permissions.Identities = append(e.permissions.Identities, part.permissions.Identities...)
	e.permissions.Extensions = append(e.permissions.Extensions, part.permissions.Extensions...)
	e.permissions.Unlimited = append(e.permissions.Unlimited, part.permissions.Unlimited...)
}
