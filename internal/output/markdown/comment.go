package markdown

import (
	"strings"
	"unicode/utf8"
)

// Limit is the maximum length of a pull request comment on GitHub, in characters. The reserve is for the list of what was
// cut.
const (
	Limit   = 65536
	reserve = 400
)

// Comment collects parts until the limit is reached.
type Comment struct {
	text strings.Builder
	used int
	// Left is how many parts did not fit.
	Left int
}

// Part adds a text if it fits, and returns whether it did.
func (c *Comment) Part(text string) bool {
	if !c.Fits(text) {
		c.Left++
		return false
	}
	c.used += utf8.RuneCountInString(text)
	c.text.WriteString(text)
	return true
}

// Fits returns whether there is room for a text.
func (c *Comment) Fits(text string) bool { return utf8.RuneCountInString(text) <= c.Room() }

// Room returns how many more characters fit.
func (c *Comment) Room() int { return Limit - reserve - c.used }

// Close adds the final text, even if it does not fit, cut to the reserve.
func (c *Comment) Close(text string) {
	runes := []rune(text)
	c.text.WriteString(string(runes[:min(len(runes), reserve)]))
}

// String returns the collected text.
func (c *Comment) String() string { return c.text.String() }
