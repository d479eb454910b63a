package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// patience is the maximum time for any answer. It only ends a test that hangs; it is long because machines are busy.
const patience = 2 * time.Minute

// Browser is a running Chromium. A session is one of its tabs.
type Browser struct {
	t    *testing.T
	in   io.Writer
	lock sync.Mutex
	last int
	// waiting are the calls without an answer; all are answered when the browser exits.
	waiting map[int]chan answer
	ended   error
	events  map[string][]event // by session
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

type event struct {
	Method string
	Params json.RawMessage
}

// names are the program's names in different distributions.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Start starts a browser that exits with the test. Without a browser the test is skipped.
func Start(t *testing.T) *Browser {
	t.Helper()
	program := ""
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("skipped: chromium is not installed, so the page is not tested in a browser")
	}
	toRead, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, arguments(t.TempDir())...)
	command.ExtraFiles = []*os.File{toRead, toWrite} // the flag requires file descriptors 3 and 4
	if err := command.Start(); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	toRead.Close()
	toWrite.Close()
	b := &Browser{t: t, in: in, waiting: map[int]chan answer{}, events: map[string][]event{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.listen(out)
	}()
	t.Cleanup(func() {
		in.Close() // which ends it
		timer := time.AfterFunc(patience, func() { command.Process.Kill() })
		defer timer.Stop()
		command.Wait()
		<-done
		out.Close()
	})
	return b
}

// arguments disable everything but the page: no network, no profile of the user, no background processes.
func arguments(profile string) []string {
	arguments := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--no-first-run", "--no-default-browser-check",
		"--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-default-apps", "--disable-domain-reliability", "--no-pings", "--mute-audio",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--force-color-profile=srgb", "--font-render-hinting=none", "--hide-scrollbars",
	}
	if os.Geteuid() == 0 { // the sandbox of Chromium does not work for root
		arguments = append(arguments, "--no-sandbox")
	}
	return arguments
}

// listen reads the browser's messages, each of which ends with a zero byte, and sorts them into answers and events.
func (b *Browser) listen(out io.Reader) {
	reader := bufio.NewReader(out)
	for {
		text, err := reader.ReadBytes(0)
		if err != nil {
			b.end(fmt.Errorf("the browser ended: %w", err))
			return
		}
		var message struct {
			ID        int
			SessionID string
			answer
			event
		}
		if err := json.Unmarshal(text[:len(text)-1], &message); err != nil {
			b.end(err)
			return
		}
		b.lock.Lock()
		if waiting := b.waiting[message.ID]; message.ID != 0 && waiting != nil {
			delete(b.waiting, message.ID)
			waiting <- message.answer
		} else {
			b.events[message.SessionID] = append(b.events[message.SessionID], message.event)
		}
		b.lock.Unlock()
	}
}

func (b *Browser) end(err error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.ended = err
	for id, waiting := range b.waiting {
		delete(b.waiting, id)
		waiting <- answer{Error: &struct{ Message string }{err.Error()}}
	}
}

// call sends a command to the browser and waits for the answer.
func (b *Browser) call(session, method string, params, result any) {
	b.t.Helper()
	b.lock.Lock()
	b.last++
	id, waiting := b.last, make(chan answer, 1)
	b.waiting[id] = waiting
	ended := b.ended
	b.lock.Unlock()
	if ended != nil {
		b.t.Fatalf("%s: %v", method, ended)
	}
	message, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params, "sessionId": session})
	if session == "" {
		message, err = json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(message, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	select {
	case got := <-waiting:
		if got.Error != nil {
			b.t.Fatalf("%s: %s", method, got.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(got.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
	case <-time.After(patience):
		b.t.Fatalf("%s: no answer for %v", method, patience)
	}
}
