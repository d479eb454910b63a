package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// The picture of a comment in README.md: salint diff --format markdown > FILE, then go test -run TestPictureOfAComment -comment FILE -picture ../comment.png
var (
	commentFile = flag.String("comment", "", "a comment in Markdown, to be drawn")
	pictureFile = flag.String("picture", "", "the picture to write")
)

const commentPage = `<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; padding: 20px 24px; font: 15px/1.5 "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; color: #1f2328; background: #fff; width: 832px; }
h2 { font-size: 21px; line-height: 1.3; margin: 0 0 12px; padding-bottom: 8px; border-bottom: 1px solid #d1d9e0; }
code { font: 13px "DejaVu Sans Mono", Consolas, monospace; background: #eff1f3; border-radius: 5px; padding: 2px 5px; }
li { margin: 4px 0; } ul { padding-left: 26px; } sub { color: #59636e; font-size: 12px; }
</style>`

func dot(color string) string { return `<span style="color:` + color + `">●</span>` }

// TestPictureOfAComment draws a comment with Chromium. It only runs if it is asked for.
func TestPictureOfAComment(t *testing.T) {
	if *commentFile == "" || *pictureFile == "" {
		t.Skip("skipped: -comment and -picture are not set")
	}
	text, err := os.ReadFile(*commentFile)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	page.WriteString(commentPage)
	m := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := m.Convert(text, &page); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "comment.html")
	// The first folded part is open, and what needs a font with emoji is drawn.
	drawn := strings.NewReplacer("🔴", dot("#d1242f"), "🟠", dot("#d4791f"), "⚪", dot("#b0b8c0")).Replace(page.String())
	if err := os.WriteFile(file, []byte(strings.Replace(drawn, "<details>", "<details open>", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	picture, err := filepath.Abs(*pictureFile)
	if err != nil {
		t.Fatal(err)
	}
	browser := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2",
		"--window-size=880,640", "--screenshot="+picture, "file://"+file)
	if out, err := browser.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
