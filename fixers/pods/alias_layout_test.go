package pods_test

import (
	"strconv"
	"strings"
)

// write writes a value. A text after a key begins in its line, and ends with a line feed in block style.
func (g *aliases) write(value any, indent string, flow bool) string {
	if text, ok := value.(string); ok {
		return g.scalar(text)
	}
	if flow {
		return g.flow(value)
	}
	var b strings.Builder
	switch value := value.(type) {
	case []pair:
		for _, f := range value {
			comment := "keep"
			if f.key == "serviceAccount" && f.value != "label" {
				comment = "old"
			}
			if g.Intn(6) == 0 {
				b.WriteString(indent + "# " + comment + "\n")
			}
			b.WriteString(indent + g.field(f, indent, comment))
		}
	case []any:
		for _, item := range value {
			text := g.write(item, indent+"  ", g.Intn(6) == 0)
			if strings.HasPrefix(text, "{") {
				b.WriteString(indent + "- " + text + "\n")
				continue
			}
			lines := strings.TrimLeft(text, " ")
			for strings.HasPrefix(lines, "#") { // a comment cannot follow the dash
				_, lines, _ = strings.Cut(lines, "\n")
				lines = strings.TrimLeft(lines, " ")
			}
			b.WriteString(indent + "- " + lines)
		}
	}
	return b.String()
}

func (g *aliases) field(f pair, indent, comment string) string {
	key := g.one(f.key, f.key, f.key, strconv.Quote(f.key), "'"+f.key+"'") + ":"
	if text, ok := f.value.(string); ok {
		return key + g.one(" ", " ", "   ") + g.scalar(text) + g.one("", "", "", " # "+comment) + "\n"
	}
	if g.Intn(7) == 0 {
		return key + " " + g.flow(f.value) + "\n"
	}
	inner := indent + g.one("  ", "  ", "    ")
	if _, isList := f.value.([]any); isList {
		inner = indent + g.one("", "  ")
	}
	return key + "\n" + g.write(f.value, inner, false)
}

func (g *aliases) flow(value any) string {
	var items []string
	switch value := value.(type) {
	case string:
		return g.scalar(value)
	case []any:
		for _, item := range value {
			items = append(items, g.flow(item))
		}
		return "[" + strings.Join(items, g.one(", ", ",")) + "]"
	case []pair:
		for _, f := range value {
			items = append(items, g.one(f.key, strconv.Quote(f.key))+": "+g.flow(f.value))
		}
	}
	return "{" + g.one("", " ") + strings.Join(items, g.one(", ", ",")) + g.one("", " ") + "}"
}

func (g *aliases) scalar(text string) string {
	if text == "" {
		return g.one(`""`, "''")
	}
	return g.one(text, text, strconv.Quote(text), "'"+text+"'")
}
