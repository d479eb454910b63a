package main

import (
	"strings"
	"testing"
)

// TestManual checks that the manual page has every command with its flags, and none that is hidden.
func TestManual(t *testing.T) {
	t.Parallel()
	app := newCommand().app()
	page, err := manual(app)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range app.Commands {
		if has := strings.Contains(page, "\n.SH "+command.Name+"\n"); has == command.Hidden {
			t.Errorf("command %s: in the manual: %v", command.Name, has)
		}
		for _, flag := range command.VisibleFlags() {
			if !command.Hidden && !strings.Contains(page, "--"+flag.Names()[0]) {
				t.Errorf("command %s: the manual lacks --%s", command.Name, flag.Names()[0])
			}
		}
	}
}
