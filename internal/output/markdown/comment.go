package markdown

import (
	"strings"
	"unicode/utf8"
)

// Limit is how many characters a comment on a pull request may have on GitHub. The reserve is for saying what was cut.
const (
	Limit   = 65536
	reserve = 400
)

// Comment collects parts as long as they fit.
type Comment struct {
	text strings.Builder
	used int
	// Left is how many parts did not fit.
	Left int
}

// Part adds a text if it fits, and tells whether it did.
func (c *Comment) Part(text string) bool {
	if !c.Fits(text) {
		c.Left++
		return false
	}
	c.used += utf8.RuneCountInString(text)
	c.text.WriteString(text)
	return true
}

// Fits tells whether there is room for a text.
func (c *Comment) Fits(text string) bool { return utf8.RuneCountInString(text) <= c.Room() }

// Room is how many characters more the comment takes.
func (c *Comment) Room() int { return Limit - reserve - c.used }

// Close adds what is said at the end whether it fits or not, cut to the reserve.
func (c *Comment) Close(text string) {
	runes := []rune(text)
	c.text.WriteString(string(runes[:min(len(runes), reserve)]))
}

// String is what was collected.
func (c *Comment) String() string { return c.text.String() }
