package picture

import (
	"strings"

	"github.com/rivo/uniseg"
)

// broken breaks a text into lines, preferably after a separator, and shortens the last one in its middle.
func broken(text string, width, most int) []string {
	var lines []string
	for len(lines) < most-1 && uniseg.StringWidth(text) > width {
		end := fitting(text, width)
		if at := strings.LastIndexAny(text[:end], "/:- ."); at >= end/3 {
			end = at + 1
		}
		lines, text = append(lines, strings.TrimSpace(text[:end])), strings.TrimSpace(text[end:])
	}
	return append(lines, shortened(text, width))
}

// shortened keeps both ends of a text, because names often differ at the end.
func shortened(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	head := fitting(text, width/2)
	tail := len(text)
	for used := 0; ; {
		cluster := lastCluster(text[:tail])
		if used += uniseg.StringWidth(cluster); used > width-width/2-1 || cluster == "" {
			return text[:head] + "…" + text[tail:]
		}
		tail -= len(cluster)
	}
}

// fitting returns how many bytes of a text fit into a number of columns.
func fitting(text string, width int) int {
	end := 0
	for state, rest := -1, text; rest != ""; {
		var cluster string
		var columns int
		cluster, rest, columns, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if width -= columns; width < 0 {
			break
		}
		end += len(cluster)
	}
	return end
}

// lastCluster reads only the end of a text, however long the text is.
func lastCluster(text string) string {
	const enough = 64
	start := max(len(text)-enough, 0)
	for start > 0 && start < len(text) && text[start]&0xC0 == 0x80 {
		start++
	}
	last := ""
	for state, rest := -1, text[start:]; rest != ""; {
		last, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
	}
	return last
}
