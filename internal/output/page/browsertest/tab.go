package browsertest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Tab is a browser tab with one page.
type Tab struct {
	browser *Browser
	session string
	page    string // its address
}

// Themes of pages.
const (
	Light = "light"
	Dark  = "dark"
)

// none is an empty set of parameters.
var none = map[string]any{}

// Open loads a file in a window of a size, and waits until it is drawn.
func (b *Browser) Open(file string, width, height int) *Tab {
	b.t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		b.t.Fatal(err)
	}
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	t := &Tab{b, session.SessionID, (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()}
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		t.call(domain+".enable", none, nil)
	}
	t.Resize(width, height)
	t.call("Page.navigate", map[string]any{"url": t.page}, nil)
	var loaded bool
	for deadline := time.Now().Add(patience); !loaded; {
		// The answer comes when the page is loaded and drawn once, or when the browser leaves the blank page before it.
		t.Eval(`new Promise(done => { const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => done(location.protocol === "file:")));
			document.readyState === "complete" ? drawn() : addEventListener("load", drawn) })`, &loaded)
		if time.Now().After(deadline) {
			b.t.Fatalf("%s is not loaded after %v", file, patience)
		}
	}
	return t
}

func (t *Tab) call(method string, params, result any) {
	t.browser.t.Helper()
	t.browser.call(t.session, method, params, result)
}

// Resize sets the size of the window.
func (t *Tab) Resize(width, height int) {
	t.browser.t.Helper()
	t.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Theme emulates a user who prefers a theme.
func (t *Tab) Theme(theme string) {
	t.browser.t.Helper()
	t.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": theme}}}, nil)
}

// Eval runs an expression in the page, waits for its promise, and decodes its value.
func (t *Tab) Eval(expression string, value any) {
	t.browser.t.Helper()
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	t.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &out)
	if out.ExceptionDetails != nil {
		t.browser.t.Fatalf("%s: %s %s", expression, out.ExceptionDetails.Text, out.ExceptionDetails.Exception.Description)
	}
	if err := json.Unmarshal(out.Result.Value, value); err != nil {
		t.browser.t.Fatalf("%s: %v", expression, err)
	}
}

// Screenshot returns a PNG of a part of the page.
func (t *Tab) Screenshot(x, y, width, height int) []byte {
	t.browser.t.Helper()
	var out struct{ Data []byte }
	t.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true, "clip": map[string]any{
		"x": x, "y": y, "width": width, "height": height, "scale": 1,
	}}, &out)
	return out.Data
}

// PDF returns the page as a PDF.
func (t *Tab) PDF() []byte {
	t.browser.t.Helper()
	var out struct{ Data []byte }
	t.call("Page.printToPDF", map[string]any{"printBackground": true, "preferCSSPageSize": true}, &out)
	return out.Data
}

// Complaints returns what the browser reported about the page so far: errors, warnings, all console output of scripts,
// violations of the page's policy, and requests for anything but the page.
func (t *Tab) Complaints() []string {
	b := t.browser
	b.lock.Lock()
	defer b.lock.Unlock()
	var all []string
	for _, e := range b.events[t.session] {
		switch e.Method {
		case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Network.loadingFailed":
			all = append(all, e.Method+": "+string(e.Params))
		case "Network.requestWillBeSent":
			var sent struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &sent); err != nil || !t.isOwn(sent.Request.URL) {
				all = append(all, fmt.Sprintf("requests %s", sent.Request.URL))
			}
		}
	}
	return all
}

func (t *Tab) isOwn(address string) bool {
	address, _, _ = strings.Cut(address, "#")
	return address == t.page
}
