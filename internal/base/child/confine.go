package child

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/collector"
)

// ExitFault is the exit code of a child with wrong arguments, or whose parent ended during a request.
const ExitFault = 2

// IsChild reports whether args, without the program's name, are those with which Start runs a child for a flag. If they are, it
// limits this process. The error is about the value of the flag.
func IsChild(args []string, flag string) (bool, error) {
	if len(args) != 1 || !strings.HasPrefix(args[0], flag) {
		return false, nil
	}
	memory, err := strconv.ParseInt(strings.TrimPrefix(args[0], flag), 10, 64)
	if err != nil || memory <= 0 {
		return true, fmt.Errorf("salint: %s is internal: salint starts a child process with it", flag)
	}
	confine(memory)
	return true, nil
}

// softLimit is the share of the memory limit above which the garbage collector works at full speed.
const softLimit = 0.8

// maxStack stops an endless recursion before it uses up the memory.
const maxStack = 128 << 20

func confine(memory int64) {
	collector.Confine()
	debug.SetMemoryLimit(int64(float64(memory) * softLimit))
	debug.SetMaxStack(maxStack)
	limitProcess(memory)
}

// Parent is the connection of a child to its parent, which sends messages of one type.
type Parent[Message any] struct {
	messages chan Message
	out      *json.Encoder
}

// NewParent starts reading the parent's messages continuously: when the parent is gone, this process ends, whatever it is
// doing.
func NewParent[Message any](in io.Reader, out io.Writer) *Parent[Message] {
	p := &Parent[Message]{messages: make(chan Message), out: json.NewEncoder(out)}
	p.out.SetEscapeHTML(false)
	go func() {
		for decoder := json.NewDecoder(in); ; {
			var message Message
			if err := decoder.Decode(&message); err != nil {
				os.Exit(0)
			}
			p.messages <- message
		}
	}()
	return p
}

// Receive waits for a message.
func (p *Parent[Message]) Receive() Message { return <-p.messages }

// Send sends a message of any type.
func (p *Parent[Message]) Send(message any) error { return p.out.Encode(message) }
