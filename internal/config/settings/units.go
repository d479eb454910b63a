package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

var timeUnits = map[string]time.Duration{
	"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": day, "w": week,
}

// parseDuration reads 90d, 20s, 1h30m: whole numbers with the units w, d, h, m, s and ms. A day has 24 hours.
func parseDuration(text string) (time.Duration, error) {
	invalid := fmt.Errorf("%q is not a duration: write a number and a unit (w, d, h, m, s, ms), as in 90d or 20s", text)
	total := time.Duration(0)
	for rest := text; rest != "" || text == ""; {
		number, unit, after := nextQuantity(rest)
		size, known := timeUnits[unit]
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || !known || n > int64(math.MaxInt64-total)/int64(size) {
			return 0, invalid
		}
		total += time.Duration(n) * size
		rest = after
	}
	if total == 0 {
		return 0, fmt.Errorf("%q must be longer than zero", text)
	}
	return total, nil
}

// nextQuantity splits off the first number and its unit.
func nextQuantity(text string) (number, unit, rest string) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	number, text = text[:digits], text[digits:]
	letters := strings.IndexAny(text, "0123456789")
	if letters < 0 {
		letters = len(text)
	}
	return number, text[:letters], text[letters:]
}

var sizeUnits = map[string]int64{
	"": 1, "B": 1,
	"KB": 1e3, "MB": 1e6, "GB": 1e9,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
}

// parseSize reads 32MiB, 1GB, 512Ki or a number of bytes.
func parseSize(text string) (int64, error) {
	number, unit, rest := nextQuantity(text)
	size, known := sizeUnits[strings.TrimSpace(unit)]
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !known || rest != "" || n > math.MaxInt64/size {
		return 0, fmt.Errorf("%q is not a size: write a number and a unit (KiB, MiB, GiB, KB, MB, GB), as in 32MiB", text)
	}
	if n == 0 {
		return 0, fmt.Errorf("%q must be larger than zero", text)
	}
	return n * size, nil
}
