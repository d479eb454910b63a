package process

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/render/protocol"
)

// exitFault is the exit code of a child with wrong arguments, or whose parent ended during a request.
const exitFault = 2

// Main runs the child process if args, without the program's name, are those of a child: it answers requests until its
// input ends, and returns the exit code. Programs, and the test programs of packages that render, call it first.
func Main(args []string, in io.Reader, out io.Writer) (code int, isChild bool) {
	if len(args) != 1 || !strings.HasPrefix(args[0], protocol.ChildFlag) {
		return 0, false
	}
	memory, err := strconv.ParseInt(strings.TrimPrefix(args[0], protocol.ChildFlag), 10, 64)
	if err != nil || memory <= 0 {
		fmt.Fprintf(os.Stderr, "salint: %s is internal: salint starts its render process with it\n", protocol.ChildFlag)
		return exitFault, true
	}
	confine(memory)
	return serve(newParent(in, out)), true
}

// softLimit is the share of the memory limit above which the garbage collector works at full speed.
const softLimit = 0.8

// maxStack stops an endless recursion before it uses up the memory.
const maxStack = 128 << 20

func confine(memory int64) {
	debug.SetMemoryLimit(int64(float64(memory) * softLimit))
	debug.SetMaxStack(maxStack)
	limitProcess(memory)
}

func serve(p *parent) int {
	for {
		message := p.receive()
		if message.Request == nil {
			return exitFault
		}
		result := answer(p, *message.Request)
		if err := p.send(protocol.FromChild{Result: &result}); err != nil {
			return exitFault
		}
	}
}

// answer renders. A panic of a library becomes an error result.
func answer(p *parent, request protocol.Request) (result protocol.Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = protocol.Result{Error: &protocol.Error{Message: fmt.Sprintf("the library failed: %v", fault)}}
		}
	}()
	resetRandom()
	switch {
	case request.Kustomize != nil:
		return kustomize(p, *request.Kustomize)
	case request.Chart != nil:
		return renderChart(*request.Chart, p.draft)
	}
	return protocol.Result{Error: &protocol.Error{Message: "the request is empty"}}
}

// parent is the connection to the parent process.
type parent struct {
	messages chan protocol.ToChild
	out      *json.Encoder
}

// newParent starts reading the parent's messages continuously: when the parent is gone, this process ends, whatever it is
// doing.
func newParent(in io.Reader, out io.Writer) *parent {
	p := &parent{messages: make(chan protocol.ToChild), out: json.NewEncoder(out)}
	p.out.SetEscapeHTML(false)
	go func() {
		for decoder := json.NewDecoder(in); ; {
			var message protocol.ToChild
			if err := decoder.Decode(&message); err != nil {
				os.Exit(0)
			}
			p.messages <- message
		}
	}()
	return p
}

func (p *parent) receive() protocol.ToChild { return <-p.messages }

func (p *parent) send(message protocol.FromChild) error { return p.out.Encode(message) }

func (p *parent) draft(result protocol.Result) {
	if err := p.send(protocol.FromChild{Draft: &result}); err != nil {
		os.Exit(exitFault)
	}
}

func (p *parent) ask(query protocol.Query) protocol.Answer {
	if err := p.send(protocol.FromChild{Query: &query}); err != nil {
		os.Exit(exitFault)
	}
	message := p.receive()
	if message.Answer == nil {
		os.Exit(exitFault)
	}
	return *message.Answer
}
