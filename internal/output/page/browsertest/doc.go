// Package browsertest opens pages in headless Chromium, for tests. It uses the DevTools protocol over two pipes, so that no
// port is opened, and skips a test with a message if Chromium is not installed.
package browsertest
