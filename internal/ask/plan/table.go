package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/base/safetext"
)

const (
	// gap is the space between two columns.
	gap = 2
	// leastLabel is the minimum width of the column of extensions, if the names are that long. If not all targets fit beside
	// it, the table continues below.
	leastLabel = 24
)

// table prints the extensions by targets, as wide as sentences: long names are wrapped, and targets that do not fit follow
// in another table.
func (t *text) table(groups []group) {
	head := []string{"EXTENSION"}
	labels := make([]string, len(groups))
	longest := len(head[0])
	for i, g := range groups {
		labels[i] = safetext.Text(g.title())
		longest = max(longest, utf8.RuneCountInString(labels[i]))
	}
	all := 0
	headings, widths := make([][]string, len(t.columns)), make([]int, len(t.columns))
	for i, c := range t.columns {
		headings[i] = t.plan.heading(c)
		widths[i] = max(utf8.RuneCountInString(shown(Breaks)), widest(headings[i]))
		all += gap + widths[i]
	}
	first := min(longest, max(leastLabel, t.width-all))
	for begin := 0; begin < len(t.columns); {
		end, used := begin+1, first+gap+widths[begin]
		for end < len(t.columns) && used+gap+widths[end] <= t.width {
			used += gap + widths[end]
			end++
		}
		if begin > 0 {
			fmt.Fprintln(t)
		}
		t.row(append([][]string{head}, headings[begin:end]...), append([]int{first}, widths[begin:end]...))
		for i, g := range groups {
			cells := [][]string{broken(labels[i], first)}
			for _, c := range t.columns[begin:end] {
				cells = append(cells, []string{shown(g.Cells[c.first].Status)})
			}
			t.row(cells, append([]int{first}, widths[begin:end]...))
		}
		begin = end
	}
}

// row prints cells of one or more lines side by side.
func (t *text) row(cells [][]string, widths []int) {
	for n := 0; ; n++ {
		var line strings.Builder
		more := false
		for i, cell := range cells {
			text := ""
			if n < len(cell) {
				text, more = cell[n], true
			}
			line.WriteString(text + strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(text))+gap))
		}
		if !more {
			return
		}
		fmt.Fprintln(t, strings.TrimRight(line.String(), " "))
	}
}

func widest(lines []string) int {
	n := 0
	for _, line := range lines {
		n = max(n, utf8.RuneCountInString(line))
	}
	return n
}

// broken wraps a text, and breaks words that are too long.
func broken(text string, width int) []string {
	var lines []string
	for _, line := range wrap(text, width) {
		runes := []rune(line)
		for len(runes) > width {
			lines, runes = append(lines, string(runes[:width])), runes[width:]
		}
		lines = append(lines, string(runes))
	}
	return lines
}

// heading breaks the name of a column into short lines.
func (p *Plan) heading(c column) []string {
	name, proposed := strings.CutSuffix(p.Targets[c.first].Name, "-proposed")
	lines := []string{name}
	if p.Targets[c.first].TechPreview() {
		family, preview, _ := strings.Cut(name, "-")
		lines = []string{family + "-", preview}
	}
	if c.last > c.first {
		_, last, _ := strings.Cut(p.Targets[c.last].Name, "-")
		lines = append(lines, "…"+strings.TrimSuffix(last, "-proposed"))
	}
	if proposed {
		lines = append(lines, "proposed")
	}
	return lines
}

// shown writes breaking statuses in capitals, so that they stand out without colors.
func shown(s Status) string {
	switch s {
	case Breaks:
		return "BREAKS"
	case NotJudged:
		return "-"
	}
	return string(s)
}
