// Package browsertest opens pages in headless Chromium, for tests. It speaks the DevTools protocol over two pipes, so that
// nothing listens anywhere, and skips a test with a clear word where there is no Chromium.
package browsertest
