package child

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// Process is a running child. It is not safe for concurrent use, except for Kill.
type Process struct {
	memory  int64
	command *exec.Cmd
	encoder *json.Encoder
	out     *meter
	decoder *json.Decoder
	errors  *head
	once    sync.Once
	exit    error
}

// Start runs this program as a child. The flag, which ends in "=", selects its work, and is followed by its limit of memory in
// bytes. Its environment contains only a setting that shortens crash reports.
func Start(flag string, memory int64) (*Process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find the program to start as a child process: %w", err)
	}
	p := &Process{memory: memory, command: exec.Command(program, flag+strconv.FormatInt(memory, 10)), errors: &head{}}
	p.command.Env = []string{"GOTRACEBACK=none"}
	p.command.Stderr = p.errors
	setGroup(p.command)
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start a child process: %w", err)
	}
	p.encoder, p.out = json.NewEncoder(in), &meter{from: out}
	p.encoder.SetEscapeHTML(false)
	p.decoder = json.NewDecoder(p.out)
	return p, nil
}

// ErrOutput reports that the output of a child exceeds its limit.
var ErrOutput = errors.New("too much output")

// LimitOutput sets how many further bytes of output are read. Without it, none are.
func (p *Process) LimitOutput(limit int64) { p.out.left = limit }

// Send sends a message.
func (p *Process) Send(message any) error { return p.encoder.Encode(message) }

// Receive waits for a message. The error is ErrOutput if the output exceeds its limit; any other means that the child ended.
func (p *Process) Receive(message any) error { return p.decoder.Decode(message) }

// Kill ends the process with everything that it might have started, and waits for its end.
func (p *Process) Kill() {
	p.once.Do(func() {
		killGroup(p.command)
		p.exit = p.command.Wait()
	})
}

// Crash is why a child ended that was not stopped.
type Crash struct {
	// Reason continues a sentence, as in "it needs more memory than 256 MiB, the limit".
	Reason string
	// Memory is true if the limit of memory was, or can have been, the cause; Endless if a recursion without end was.
	Memory, Endless bool
}

// Crash describes the end of a process, after Kill.
func (p *Process) Crash() Crash {
	report := p.errors.text()
	switch {
	case strings.Contains(report, "out of memory") || strings.Contains(report, "cannot allocate memory") || refusedInRuntime(report):
		return Crash{Reason: fmt.Sprintf("it needs more memory than %d MiB, the limit", p.memory>>20), Memory: true}
	case strings.Contains(report, "stack overflow") || strings.Contains(report, "stack exceeds"):
		return Crash{Reason: "something references itself endlessly", Endless: true}
	}
	if line, _, _ := strings.Cut(report, "\n"); line != "" {
		return Crash{Reason: fmt.Sprintf("the process ended with %q", line)}
	}
	return Crash{Reason: fmt.Sprintf("the process ended: %v", p.exit)}
}

// refusedInRuntime reports whether Go's runtime itself crashed: some of its parts use memory without looking whether the kernel
// refused it. A nil pointer in other code ends with a panic instead, whose report begins differently.
func refusedInRuntime(report string) bool {
	return strings.HasPrefix(report, "SIGSEGV: segmentation violation")
}

// meter counts bytes up to a limit.
type meter struct {
	from io.Reader
	left int64
}

func (m *meter) Read(buffer []byte) (int, error) {
	if m.left <= 0 {
		return 0, ErrOutput
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
