package charts

import (
	"path"

	"github.com/salint/salint/internal/base/lazyregexp"
)

var moreValues = lazyregexp.New(`^(?:.+[-_.]values|values[-_.].+)\.ya?ml$`)

// HasValuesName reports whether a file has one of the usual names of further values files of a chart, such as values-prod.yaml.
func HasValuesName(file string) bool { return moreValues().MatchString(path.Base(file)) }
