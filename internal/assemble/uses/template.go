package uses

import (
	"bytes"
	"strings"
)

// template is a word that is assembled when it is rendered: by a shell, envsubst, Flux, Helm, or a format such as
// "%s-installer". Only its prefix and suffix are known.
type template struct {
	start          int
	prefix, suffix string
}

// maxPlaceholder limits the length of a placeholder, and maxTemplates the templated places that are kept for a word: one
// is enough to keep an account, and a suffix that all accounts share must not add every template to each of them.
const (
	maxPlaceholder = 512
	maxTemplates   = 100
)

// templates calls visit for every template of a text.
func templates(data []byte, visit func(template)) {
	for pos, free := 0, 0; pos < len(data); {
		next := bytes.IndexAny(data[pos:], "${%")
		if next < 0 {
			return
		}
		pos += next
		end := placeholderEnd(data, pos)
		if end < 0 {
			pos++
			continue
		}
		start := pos
		for start > free && isTokenByte(data[start-1]) && pos-start < maxName {
			start--
		}
		suffix := end
		for end < len(data) {
			if isTokenByte(data[end]) {
				end++
			} else if further := placeholderEnd(data, end); further > 0 {
				end, suffix = further, further
			} else {
				break
			}
		}
		visit(template{start, string(data[start:pos]), string(data[suffix:min(end, suffix+maxName)])})
		pos, free = end, end
	}
}

// maxName is the length of the longest valid name in Kubernetes.
const maxName = 253

// placeholderEnd is the end of the placeholder that begins here, or -1.
func placeholderEnd(data []byte, pos int) int {
	rest := data[pos:min(len(data), pos+maxPlaceholder)]
	switch {
	case bytes.HasPrefix(rest, []byte("${")):
		return closing(rest, pos, "}")
	case bytes.HasPrefix(rest, []byte("$(")):
		return closing(rest, pos, ")")
	case bytes.HasPrefix(rest, []byte("{{")):
		return closing(rest, pos, "}}")
	case len(rest) > 1 && rest[0] == '%' && strings.IndexByte("svqd", rest[1]) >= 0:
		return pos + 2
	case len(rest) > 1 && rest[0] == '$' && isVariableByte(rest[1]):
		end := 1
		for end < len(rest) && isVariableByte(rest[end]) {
			end++
		}
		return pos + end
	}
	return -1
}

func isVariableByte(c byte) bool { return isTokenByte(c) && c != '-' && c != '.' }

func closing(rest []byte, pos int, mark string) int {
	end := bytes.Index(rest, []byte(mark))
	if end < 0 {
		return -1
	}
	return pos + end + len(mark)
}

// addParts indexes a word by the prefixes and suffixes that a template of it could have: whole parts between separators.
func (s *wordSearch) addParts(word string) {
	for i := range len(word) {
		if word[i] != '-' && word[i] != '.' {
			continue
		}
		for _, begin := range []string{word[:i], word[:i+1]} {
			s.byPrefix[begin] = append(s.byPrefix[begin], word)
		}
		for _, end := range []string{word[i:], word[i+1:]} {
			s.bySuffix[end] = append(s.bySuffix[end], word)
		}
	}
}

// template finds the words that a template can become. A matching suffix is sufficient. A prefix alone, as in vault-{{
// .Values.tag }}, is too common, so it counts only near words about accounts or roles.
func (f *finder) template(data []byte, t template) {
	prefix := strings.TrimLeft(t.prefix, ".-_")
	suffix := strings.TrimRight(t.suffix, ".-_")
	if isFileName([]byte(suffix)) {
		return
	}
	words := f.bySuffix[suffix]
	if suffix == "" {
		if words = f.byPrefix[prefix]; len(words) > 0 && !nearAccountWords(data, t.start) {
			return
		}
	} else if end, _, dotted := strings.Cut(suffix, "."); dotted && len(words) == 0 {
		suffix, words = end, f.bySuffix[end]
	}
	for _, word := range words {
		if f.templated[word] > maxTemplates || len(word) < len(prefix)+len(suffix) || !strings.HasPrefix(word, prefix) {
			continue
		}
		f.templated[word]++
		f.hits = append(f.hits, hit{word: word, offset: t.start, templated: true, last: f.templated[word] > maxTemplates})
	}
}

// nearAccountWords reports whether the line of a place, or one of the three lines above, is about accounts or roles.
func nearAccountWords(data []byte, at int) bool {
	lines := data[max(0, at-maxPlaceholder):at]
	from := len(lines)
	for range 4 {
		if from = bytes.LastIndexByte(lines[:max(from, 0)], '\n'); from < 0 {
			break
		}
	}
	lines = bytes.ToLower(lines[max(from, 0):])
	return bytes.Contains(lines, []byte("account")) || bytes.Contains(lines, []byte("roleref"))
}
