package main

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/salint/salint/internal/output/page/browsertest"
)

// pictureFile is where the test writes its screenshot: go test ./cmd/salint -run TestPages -picture ../../docs/report.png
var pictureFile = flag.String("picture", "", "write a picture of the report of the demonstration to this file")

// TestPages opens the pages of a report and of a plan for the repository of the demo.
func TestPages(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	dir := t.TempDir()
	if err := writeDemo(dir); err != nil {
		t.Fatal(err)
	}
	makeRepository(t, dir)
	runLine(dir, "lint --diff --prune --output html=report.html")
	var plan, faults bytes.Buffer
	(&command{Stdin: bytes.NewReader(nil), Stdout: &plan, Stderr: &faults, Dir: dir, Now: time.Now}).Main([]string{"plan", "--all-targets", "--format", "html"})
	if err := os.WriteFile(filepath.Join(dir, "plan.html"), plan.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string]string{
		"report.html": `document.querySelectorAll("svg g.box").length > 5 && document.querySelectorAll(".diff .add").length > 5 && document.querySelectorAll(".gains li").length > 5`,
		"plan.html":   `document.querySelectorAll(".matrix td").length > 5 && document.querySelectorAll("ol li pre").length > 0`,
	} {
		tab := browser.Open(filepath.Join(dir, file), 1200, 900)
		var there bool
		if tab.Eval(wants, &there); !there {
			t.Errorf("%s does not show the expected content: %s", file, faults.String())
		}
		for _, theme := range []string{browsertest.Light, browsertest.Dark} {
			tab.Theme(theme)
			if len(tab.PDF()) == 0 {
				t.Errorf("%s does not print", file)
			}
		}
		if file == "report.html" && *pictureFile != "" {
			takePicture(t, tab)
		}
		for _, complaint := range tab.Complaints() {
			t.Errorf("%s: %s", file, complaint)
		}
	}
}

// takePicture combines the top of the page and the section of bindings and roles in one image.
func takePicture(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	tab.Theme(browsertest.Light)
	const width = 1200
	var places struct{ Facts, Graph, End int }
	tab.Eval(`(() => { const y = (element, side) => Math.round(element.getBoundingClientRect()[side] + scrollY);
		const graph = document.getElementById("graph").closest("section");
		return {facts: y(document.querySelector(".facts"), "bottom") + 24, graph: y(graph, "top") + 8, end: y(graph, "bottom") + 24} })()`, &places)
	whole := image.NewRGBA(image.Rect(0, 0, width, places.Facts+places.End-places.Graph))
	at := 0
	for _, part := range [][2]int{{0, places.Facts}, {places.Graph, places.End}} {
		shot, err := png.Decode(bytes.NewReader(tab.Screenshot(0, part[0], width, part[1]-part[0])))
		if err != nil {
			t.Fatal(err)
		}
		draw.Draw(whole, shot.Bounds().Add(image.Pt(0, at)), shot, image.Point{}, draw.Src)
		at += part[1] - part[0]
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, whole); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 300_000 {
		t.Errorf("the picture has %d bytes, which is too much for a page of documentation", out.Len())
	}
	if err := os.WriteFile(*pictureFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
