package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// header are the fields every object has.
func (w *World) header(kind, namespace, name string, labels object) object {
	metadata := object{{"name", name}}
	if namespace != "" {
		metadata = append(metadata, field{"namespace", namespace})
	}
	if len(labels) > 0 {
		metadata = append(metadata, field{"labels", distinct(labels)})
	}
	return object{{"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", kind}, {"metadata", metadata}}
}

// distinct drops a field that repeats a name.
func distinct(fields object) object {
	var kept object
	for _, f := range fields {
		if !slices.ContainsFunc(kept, func(k field) bool { return k.name == f.name }) {
			kept = append(kept, f)
		}
	}
	return kept
}

// add writes a document, in one of several common styles.
func (w *World) add(header, body object) {
	whole := append(slices.Clone(header), body...)
	if w.Chance(6) { // the order of fields does not matter
		w.random.Shuffle(len(whole), func(i, j int) { whole[i], whole[j] = whole[j], whole[i] })
	}
	metadata := header[2].value.(object)
	namespace := ""
	if len(metadata) > 1 && metadata[1].name == "namespace" {
		namespace = metadata[1].value.(string)
	}
	var text strings.Builder
	text.WriteString(identity(header[1].value.(string), namespace, metadata[0].value.(string)))
	if w.Chance(10) {
		fmt.Fprintf(&text, "apiVersion: v1\nkind: List\nitems:\n- %s\n", w.flow(whole))
		w.docs = append(w.docs, text.String())
		return
	}
	for _, f := range whole {
		w.block(&text, f, "")
	}
	w.docs = append(w.docs, text.String())
}

// block writes a field in block style, or at random its value in flow style.
func (w *World) block(text *strings.Builder, f field, indent string) {
	fmt.Fprintf(text, "%s%s:", indent, w.scalar(f.name))
	if w.Chance(3) || empty(f.value) {
		fmt.Fprintf(text, " %s\n", w.flow(f.value))
		return
	}
	switch value := f.value.(type) {
	case string:
		fmt.Fprintf(text, " %s\n", w.scalar(value))
	case []string:
		text.WriteString("\n")
		for _, item := range value {
			fmt.Fprintf(text, "%s- %s\n", indent, w.scalar(item))
		}
	case object:
		text.WriteString("\n")
		for _, nested := range value {
			w.block(text, nested, indent+"  ")
		}
	case []object:
		text.WriteString("\n")
		for _, item := range value {
			fmt.Fprintf(text, "%s-\n", indent)
			for _, nested := range item {
				w.block(text, nested, indent+"  ")
			}
			if len(item) == 0 {
				fmt.Fprintf(text, "%s  {}\n", indent)
			}
		}
	}
}

func empty(value any) bool {
	switch value := value.(type) {
	case []string:
		return len(value) == 0
	case object:
		return len(value) == 0
	case []object:
		return len(value) == 0
	}
	return false
}

// flow writes a value on one line. An empty list is sometimes written as null, which has the same meaning.
func (w *World) flow(value any) string {
	var parts []string
	switch value := value.(type) {
	case string:
		return w.scalar(value)
	case []string:
		for _, item := range value {
			parts = append(parts, w.scalar(item))
		}
	case []object:
		for _, item := range value {
			parts = append(parts, w.flow(item))
		}
	case object:
		for _, f := range value {
			parts = append(parts, w.scalar(f.name)+": "+w.flow(f.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if len(parts) == 0 && w.Chance(4) {
		return "null"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// scalar writes a string so that it stays a string, quoted if necessary and sometimes if not.
func (w *World) scalar(text string) string {
	plain := text != "" && text != "true" && text != "false" &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./") == "" && text[0] != '-' && text != "." && text != ".."
	switch {
	case plain && !w.Chance(4):
		return text
	case w.Chance(2):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be written
	}
	return string(quoted)
}
