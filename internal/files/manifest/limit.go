package manifest

import (
	"bytes"
	"errors"
)

// CheckLimits returns an error at the first document of a file that has too many values, or whose aliases stand for too many.
// Only files that are large or have something like an anchor and an alias are parsed. Other errors are not reported.
func CheckLimits(path string, data []byte) error {
	if len(data) <= maxNodes && (bytes.IndexByte(data, '&') < 0 || bytes.IndexByte(data, '*') < 0) {
		return nil
	}
	for _, doc := range Scan(path, data).Docs {
		var limit *SyntaxError
		if err := doc.Parse(); errors.As(err, &limit) && limit.Limit {
			return limit
		}
	}
	return nil
}
