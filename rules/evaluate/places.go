package evaluate

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/values"
)

// placeOf reads file and line of a place outside of objects.
func placeOf(fields map[string]any) (finding.Place, error) {
	file, _ := fields["file"].(string)
	if !fs.ValidPath(file) {
		return finding.Place{}, errors.New("a file must be a path from the root of the repository, as salint.bundle returns it")
	}
	line, _ := values.Plain(fields["line"]).(int64)
	if line < 0 || line > math.MaxInt32 {
		return finding.Place{}, errors.New("a line must be a number from 1, or 0 for the whole file")
	}
	return finding.Place{File: file, Line: int(line)}, nil
}

func readCauses(_ *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) error {
	value, given := f["causes"]
	if !given {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("causes must be an array of {file, line}, not %s", typeOf(value))
	}
	for _, item := range list {
		fields, ok := item.(map[string]any)
		if !ok {
			return fmt.Errorf("causes: an item must be an object {file, line}, not %s", typeOf(item))
		}
		place, err := placeOf(fields)
		if err != nil {
			return fmt.Errorf("causes: %w", err)
		}
		r.Causes = append(r.Causes, place)
	}
	return nil
}
