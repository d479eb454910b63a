package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The policy of the page allows only its own style, by its hash.
func TestPolicyAllowsTheStyle(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	head := Head{Kind: "test", Title: `<b>"x"</b>`, Lead: "a\x1bb", Contents: []Section{{"one", "One"}}, Version: "0.1"}
	if err := Write(&out, Template(`<p>{{text .}}</p>`, nil), head, "<i>\u202e"); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	styled := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)
	sum := sha256.Sum256([]byte(styled[1]))
	if policy := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(html.UnescapeString(page), policy) {
		t.Errorf("the policy does not allow the style: want %s", policy)
	}
	for _, want := range []string{"<h1>&lt;b&gt;", "a&lt;U&#43;001B&gt;b", "<p>&lt;i&gt;&lt;U&#43;202E&gt;</p>", `<a href="#one">One</a>`, "default-src &#39;none&#39;"} {
		if !strings.Contains(page, want) && !strings.Contains(page, html.UnescapeString(want)) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	for _, bad := range []string{"<script", "http://", "https://", "ZgotmplZ", " style=", "<b>", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
}

// All text has the contrast that level AA of WCAG 2 requires, in every theme.
func TestContrast(t *testing.T) {
	t.Parallel()
	themes := regexp.MustCompile(`(?s):root \{(.*?)\n\s*\}`).FindAllStringSubmatch(css(), -1)
	if len(themes) != 3 {
		t.Fatalf("%d themes", len(themes))
	}
	for i, theme := range themes {
		colors := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]+);`).FindAllStringSubmatch(theme[1], -1) {
			colors[m[1]] = m[2]
		}
		for text, backs := range map[string][]string{
			"text": {"back", "panel", "accent-soft", "note-back", "good-back", "warn-back", "bad-back"},
			"soft": {"back", "panel", "accent-soft", "note-back", "good-back", "bad-back", "warn-back"}, "accent": {"back", "panel", "accent-soft"},
			"good": {"back", "good-back", "panel"}, "warn": {"back", "warn-back", "panel"}, "bad": {"back", "bad-back", "panel"}, "note": {"back", "note-back"},
			"add": {"add-back", "back"}, "del": {"del-back", "back"}, "hunk": {"panel", "back"},
		} {
			for _, back := range backs {
				if got := contrast(t, colors[text], colors[back]); got < 4.5 {
					t.Errorf("theme %d: %s on %s has a contrast of %.2f, which is below 4.5", i, text, back, got)
				}
			}
		}
	}
}

// contrast is that of WCAG 2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	light, dark := luminance(t, a), luminance(t, b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	digits := strings.TrimPrefix(color, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		t.Fatalf("not a color: %q", color)
	}
	linear := func(c uint64) float64 {
		v := float64(c&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}
