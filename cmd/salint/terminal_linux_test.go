package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"golang.org/x/sys/unix"
)

// terminalOf returns both ends of a terminal of 80 columns: what reads from it, and what a program writes to.
func terminalOf(t *testing.T) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 25, Col: 80}); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, program
}

// On a terminal no line of a table is wider than it.
func TestTablesOnTerminals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unit := "an-application-whose-name-takes-half-of-the-line"
	if err := os.MkdirAll(dir+"/clusters/production/"+unit, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/clusters/production/"+unit+"/kustomization.yaml", []byte("resources: [account.yaml]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	account := "{apiVersion: v1, kind: ServiceAccount, metadata: {name: web, namespace: shop}}\n"
	if err := os.WriteFile(dir+"/clusters/production/"+unit+"/account.yaml", []byte(account), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"build", "--list"},
		{"can-i", "--list", "--as", "system:serviceaccount:shop:web"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			screen, program := terminalOf(t)
			var out bytes.Buffer
			read := make(chan struct{})
			go func() {
				defer close(read)
				_, _ = io.Copy(&out, screen) // ends with an error when the program closes its end
			}()
			c := newCommand()
			c.Stdin, c.Stdout, c.Stderr, c.Dir = strings.NewReader(""), program, io.Discard, dir
			if code := c.Main(args); code != exitOK {
				t.Errorf("exit code %d", code)
			}
			program.Close()
			<-read
			if out.Len() == 0 {
				t.Error("nothing was printed")
			}
			for line := range strings.Lines(out.String()) {
				if line = strings.TrimRight(line, "\r\n"); uniseg.StringWidth(line) > 80 {
					t.Errorf("wider than 80: %q", line)
				}
			}
		})
	}
}
