package settings

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/salint/salint/internal/files/manifest"
)

// Limits bound the cost of one file, chart, or rule, and of a run. Sizes are in bytes.
type Limits struct {
	FileSize   int64         `json:"fileSize"`
	RenderTime time.Duration `json:"renderTime"`
	// RenderMemory is the memory of all render processes together.
	RenderMemory int64         `json:"renderMemory"`
	PolicyTime   time.Duration `json:"policyTime"`
	// RunTime limits the whole run.
	RunTime time.Duration `json:"runTime"`
}

func defaultLimits() Limits {
	return Limits{
		FileSize: 32 << 20, RenderTime: 20 * time.Second, RenderMemory: 768 << 20, PolicyTime: 5 * time.Second, RunTime: 5 * time.Minute,
	}
}

// limitKey is one of the limits. Its value is a number of bytes or nanoseconds.
type limitKey struct {
	name  string
	parse func(string) (int64, error)
	text  func(int64) string
	get   func(Limits) int64
	set   func(*Limits, int64)
}

var limitKeys = []limitKey{
	{"fileSize", parseSize, sizeText, func(l Limits) int64 { return l.FileSize }, func(l *Limits, n int64) { l.FileSize = n }},
	{"renderTime", parseNanoseconds, timeText, func(l Limits) int64 { return int64(l.RenderTime) },
		func(l *Limits, n int64) { l.RenderTime = time.Duration(n) }},
	{"renderMemory", parseSize, sizeText, func(l Limits) int64 { return l.RenderMemory }, func(l *Limits, n int64) { l.RenderMemory = n }},
	{"policyTime", parseNanoseconds, timeText, func(l Limits) int64 { return int64(l.PolicyTime) },
		func(l *Limits, n int64) { l.PolicyTime = time.Duration(n) }},
	{"runTime", parseNanoseconds, timeText, func(l Limits) int64 { return int64(l.RunTime) },
		func(l *Limits, n int64) { l.RunTime = time.Duration(n) }},
}

func parseNanoseconds(text string) (int64, error) {
	d, err := parseDuration(text)
	return int64(d), err
}

// limits reads the limits, and keeps the position of each for [Config.CheckInside].
func (d *decoder) limits(c *Config) reader {
	readers := map[string]reader{}
	c.limitsAt = map[string]limitPlace{}
	for _, key := range limitKeys {
		readers[key.name] = func(n *manifest.Node) {
			value := key.get(c.Limits)
			scalar(d, &value, key.parse)(n)
			key.set(&c.Limits, value)
			c.limitsAt[key.name] = limitPlace{d.at(n), n.String()}
		}
	}
	return d.fields("limits", readers)
}

// limitPlace is where a file sets a limit, and the text of the value.
type limitPlace struct {
	at   position
	text string
}

// GivenLimits are the limits that the user gave with flags or in the environment, by their name.
type GivenLimits map[string]int64

// ParseLimits reads limits in the form NAME=VALUE, several of them with commas between. A later one wins.
func ParseLimits(texts []string) (GivenLimits, error) {
	given := GivenLimits{}
	var names []string
	keys := map[string]limitKey{}
	for _, key := range limitKeys {
		names, keys[key.name] = append(names, key.name), key
	}
	for _, text := range strings.Split(strings.Join(texts, ","), ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		name, value, found := strings.Cut(text, "=")
		if !found {
			return nil, fmt.Errorf("%q is not a limit: write NAME=VALUE, as in renderTime=60s", text)
		}
		key, known := keys[name]
		if !known {
			return nil, unknownName("limit", name, names)
		}
		n, err := key.parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		given[name] = n
	}
	return given, nil
}

// WithLimits returns the configuration with the limits that the user gave instead of those of the file.
func (c *Config) WithLimits(given GivenLimits) *Config {
	out := *c
	for _, key := range limitKeys {
		if n, set := given[key.name]; set {
			key.set(&out.Limits, n)
		}
	}
	return &out
}

// CheckLimits returns an error for each limit of the file that is above the default and above what the user gave: a file of
// the repository, which a pull request can change, must not lift the limits on the work that the repository causes.
func (c *Config) CheckLimits(given GivenLimits) error {
	var problems []error
	for _, key := range limitKeys {
		place, set := c.limitsAt[key.name]
		ceiling := key.get(defaultLimits())
		if n, ok := given[key.name]; ok {
			ceiling = max(ceiling, n)
		}
		if !set || key.get(c.Limits) <= ceiling {
			continue
		}
		problems = append(problems, &Error{c.Path, place.at.line, place.at.column, fmt.Sprintf(
			"limits.%s: %s is above %s, and a file of the repository can only lower limits: pass --limits %s=%s, or set it in SALINT_LIMITS "+
				"or in a configuration outside of the repository (--config)",
			key.name, place.text, key.text(ceiling), key.name, strings.ReplaceAll(place.text, " ", ""))})
	}
	return errors.Join(problems...)
}

func timeText(n int64) string {
	text := time.Duration(n).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	return text
}

func sizeText(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n%unit.size == 0 {
			return fmt.Sprintf("%d%s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
