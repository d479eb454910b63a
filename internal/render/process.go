package render

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/salint/salint/internal/render/protocol"
)

// childProcess is a running child.
type childProcess struct {
	command *exec.Cmd
	in      io.WriteCloser
	encoder *json.Encoder
	out     *meter
	decoder *json.Decoder
	errors  *head
	once    sync.Once
	gone    bool
	exit    error
}

// start runs this program as a child. Its environment contains only a setting that shortens crash reports.
func start(memory int64) (*childProcess, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find the program to start for rendering: %w", err)
	}
	p := &childProcess{command: exec.Command(program, protocol.ChildFlag+strconv.FormatInt(memory, 10)), errors: &head{}}
	p.command.Env = []string{"GOTRACEBACK=none"}
	p.command.Stderr = p.errors
	setGroup(p.command)
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the render process: %w", err)
	}
	p.encoder, p.out = json.NewEncoder(p.in), &meter{from: out}
	p.encoder.SetEscapeHTML(false)
	p.decoder = json.NewDecoder(p.out)
	return p, nil
}

// exchange sends a request and answers queries until it receives the result. If only the part after a draft exceeds a
// limit, the draft is the result. In that case, and after an error, the process is stopped.
func (p *childProcess) exchange(ctx context.Context, request protocol.Request, l Limits, files func(protocol.Query) protocol.Answer) (*protocol.Result, error) {
	ours, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	stop := context.AfterFunc(ours, p.kill)
	p.out.left = encoded(l)
	result, draft, err := p.talk(request, files)
	if err == nil && result.Size() > l.Output {
		draft, err = nil, errOutput
	}
	if stop() && err == nil {
		return result, nil
	}
	p.kill()
	p.gone = true
	if draft != nil && draft.Size() <= l.Output && ctx.Err() == nil {
		return draft, nil
	}
	return nil, p.explain(ours, err, l)
}

// encoded returns the maximum size of a result in JSON, in which a line break takes two bytes, and which includes the
// sources of a chart's templates.
func encoded(l Limits) int64 { return 2*(l.Input+l.Output) + 1<<20 }

// talk also returns the draft if the final result did not arrive.
func (p *childProcess) talk(request protocol.Request, files func(protocol.Query) protocol.Answer) (result, draft *protocol.Result, err error) {
	if err := p.encoder.Encode(protocol.ToChild{Request: &request}); err != nil {
		return nil, nil, err
	}
	for {
		var message protocol.FromChild
		if err := p.decoder.Decode(&message); err != nil {
			return nil, draft, err
		}
		switch {
		case message.Result != nil:
			return message.Result, draft, nil
		case message.Draft != nil:
			draft = message.Draft
			continue
		case message.Query == nil || files == nil:
			return nil, draft, errors.New("unexpected answer")
		}
		answer := files(*message.Query)
		if err := p.encoder.Encode(protocol.ToChild{Answer: &answer}); err != nil {
			return nil, draft, err
		}
	}
}

// explain returns why there is no result: a limit of time, memory or output, or an error in a library.
func (p *childProcess) explain(ctx context.Context, err error, l Limits) error {
	said := p.errors.text()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return tooMuch("stopped after %s, the limit (limits.renderTime)", l.Time)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errOutput):
		return tooMuch("stopped: the result has more than %s", bytesText(l.Output))
	case outOfMemory(said):
		return &LimitError{
			Message: fmt.Sprintf("stopped: it needs more memory than %s, the limit (limits.renderMemory)", bytesText(l.Memory)), memory: true,
		}
	case strings.Contains(said, "stack overflow") || strings.Contains(said, "stack exceeds"):
		return tooMuch("stopped: something references itself endlessly")
	case said == "":
		return fmt.Errorf("the render process ended: %w (%v)", err, p.exit)
	}
	line, _, _ := strings.Cut(said, "\n")
	return fmt.Errorf("the render process ended: %q", line)
}

// outOfMemory reports whether a crash report is that of a process to which the kernel refused memory. Some parts of Go's runtime
// then use the memory anyway, which is a segmentation violation.
func outOfMemory(report string) bool {
	return strings.Contains(report, "out of memory") || strings.Contains(report, "cannot allocate memory") ||
		strings.Contains(report, "segmentation violation")
}

// kill ends the process group, and waits for its end.
func (p *childProcess) kill() {
	p.once.Do(func() {
		killGroup(p.command)
		p.exit = p.command.Wait()
	})
}

// errOutput reports that the output of the child exceeds its limit.
var errOutput = errors.New("too much output")

// meter counts bytes up to a limit.
type meter struct {
	from io.Reader
	left int64
}

func (m *meter) Read(buffer []byte) (int, error) {
	if m.left <= 0 {
		return 0, errOutput
	}
	n, err := m.from.Read(buffer[:min(int64(len(buffer)), m.left)])
	m.left -= int64(n)
	return n, err
}

// head keeps the beginning of the output, because a crash report begins with the reason.
type head struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

const maxHead = 64 << 10

func (h *head) Write(data []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if room := maxHead - h.kept.Len(); room > 0 {
		h.kept.Write(data[:min(room, len(data))])
	}
	return len(data), nil
}

func (h *head) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.kept.String()
}
