package report

import (
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/drawings"
	"github.com/salint/salint/internal/output/picture"
)

// graphOf returns the picture of a report; nil if the run makes changes and none of them is in the picture.
func graphOf(r *finding.Result, g *picture.Graph) *picture.Graph {
	if g != nil && (r.Fixing || r.Preview) && !drawings.HasChange(g) {
		return nil
	}
	return g
}
