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

	"github.com/salint/salint/internal/render/wire"
)

// process is a running child.
type process struct {
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

// start runs this program as a child. It gets no environment but a setting that keeps the end of a crash short.
func start(memory int64) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot tell which program to start for rendering: %w", err)
	}
	p := &process{command: exec.Command(program, wire.ChildFlag+strconv.FormatInt(memory, 10)), errors: &head{}}
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
		return nil, fmt.Errorf("cannot start the process that renders: %w", err)
	}
	p.encoder, p.out = json.NewEncoder(p.in), &meter{from: out}
	p.encoder.SetEscapeHTML(false)
	p.decoder = json.NewDecoder(p.out)
	return p, nil
}

// exchange sends a request and answers queries until the result is there. When what comes behind a draft costs too much,
// the draft is the result. After an error, and then, the process is gone.
func (p *process) exchange(ctx context.Context, request wire.Request, l Limits, files func(wire.Query) wire.Answer) (*wire.Result, error) {
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

// encoded is how large a result may be in JSON, where a line break takes two bytes. A chart's templates come with theirs.
func encoded(l Limits) int64 { return 2*(l.Input+l.Output) + 1<<20 }

// talk also gives the draft, if there was one, and the rest did not come.
func (p *process) talk(request wire.Request, files func(wire.Query) wire.Answer) (result, draft *wire.Result, err error) {
	if err := p.encoder.Encode(wire.ToChild{Request: &request}); err != nil {
		return nil, nil, err
	}
	for {
		var message wire.FromChild
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
			return nil, draft, errors.New("it answered something else")
		}
		answer := files(*message.Query)
		if err := p.encoder.Encode(wire.ToChild{Answer: &answer}); err != nil {
			return nil, draft, err
		}
	}
}

// explain says why there is no result: the time, the memory and the output have limits, and libraries have faults.
func (p *process) explain(ctx context.Context, err error, l Limits) error {
	said := p.errors.text()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return tooMuch("stopped after %s, the limit (limits.renderTime)", l.Time)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errOutput):
		return tooMuch("stopped: it gives more than %s", bytesText(l.Output))
	case strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory"):
		return tooMuch("stopped: it needs more memory than %s, the limit (limits.renderMemory)", bytesText(l.Memory))
	case strings.Contains(said, "stack overflow") || strings.Contains(said, "stack exceeds"):
		return tooMuch("stopped: something in it refers to itself without end")
	case said == "":
		return fmt.Errorf("the process that renders ended: %w (%v)", err, p.exit)
	}
	line, _, _ := strings.Cut(said, "\n")
	return fmt.Errorf("the process that renders ended: %q", line)
}

// kill ends the process with everything it started, and waits for its end.
func (p *process) kill() {
	p.once.Do(func() {
		killGroup(p.command)
		p.exit = p.command.Wait()
	})
}

// errOutput says that the child gave more than it may.
var errOutput = errors.New("too much output")

// meter counts what is read, up to what is left.
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

// head keeps the beginning of what is written: a crash says first what it is.
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
