package child

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/render/wire"
)

// exitFault is the exit code of a child that was called wrongly or lost its parent in the middle of a request.
const exitFault = 2

// Main runs the child if the arguments, without the program's name, say that this process is one: then it answers requests
// until its input ends, and gives the exit code. Programs, and the test programs of packages that render, call it before
// anything else.
func Main(args []string, in io.Reader, out io.Writer) (code int, isChild bool) {
	if len(args) != 1 || !strings.HasPrefix(args[0], wire.ChildFlag) {
		return 0, false
	}
	memory, err := strconv.ParseInt(strings.TrimPrefix(args[0], wire.ChildFlag), 10, 64)
	if err != nil || memory <= 0 {
		fmt.Fprintf(os.Stderr, "salint: %s is not for people: it is how salint starts the process that renders\n", wire.ChildFlag)
		return exitFault, true
	}
	confine(memory)
	return serve(newParent(in, out)), true
}

// softLimit is the share of the memory at which the collector works as hard as it can.
const softLimit = 0.8

// maxStack ends a recursion without end before it has used up the memory.
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
		if err := p.send(wire.FromChild{Result: &result}); err != nil {
			return exitFault
		}
	}
}

// answer renders. Libraries panic on some inputs; that is an answer, too.
func answer(p *parent, request wire.Request) (result wire.Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = wire.Result{Error: &wire.Error{Message: fmt.Sprintf("the library gave up: %v", fault)}}
		}
	}()
	resetRandom()
	switch {
	case request.Kustomize != nil:
		return kustomize(p, *request.Kustomize)
	case request.Chart != nil:
		return renderChart(*request.Chart, p.draft)
	}
	return wire.Result{Error: &wire.Error{Message: "the request asks for nothing"}}
}

// parent is the process that asked.
type parent struct {
	messages chan wire.ToChild
	out      *json.Encoder
}

// newParent reads what the parent says, from now on and all the time: when it is gone, so is this process, whatever it
// is busy with.
func newParent(in io.Reader, out io.Writer) *parent {
	p := &parent{messages: make(chan wire.ToChild), out: json.NewEncoder(out)}
	p.out.SetEscapeHTML(false)
	go func() {
		for decoder := json.NewDecoder(in); ; {
			var message wire.ToChild
			if err := decoder.Decode(&message); err != nil {
				os.Exit(0)
			}
			p.messages <- message
		}
	}()
	return p
}

func (p *parent) receive() wire.ToChild { return <-p.messages }

func (p *parent) send(message wire.FromChild) error { return p.out.Encode(message) }

func (p *parent) draft(result wire.Result) {
	if err := p.send(wire.FromChild{Draft: &result}); err != nil {
		os.Exit(exitFault)
	}
}

func (p *parent) ask(query wire.Query) wire.Answer {
	if err := p.send(wire.FromChild{Query: &query}); err != nil {
		os.Exit(exitFault)
	}
	message := p.receive()
	if message.Answer == nil {
		os.Exit(exitFault)
	}
	return *message.Answer
}
