package process

import (
	"fmt"
	"io"
	"os"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/internal/render/protocol"
)

// exitFault is the exit code of a child whose parent ended during a request.
const exitFault = child.ExitFault

// Main runs the child process if args, without the program's name, are those of a child: it answers requests until its
// input ends, and returns the exit code. Programs, and the test programs of packages that render, call it first.
func Main(args []string, in io.Reader, out io.Writer) (code int, isChild bool) {
	isChild, err := child.IsChild(args, protocol.ChildFlag)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFault, true
	}
	if !isChild {
		return 0, false
	}
	return serve(&parent{Parent: child.NewParent[protocol.ToChild](in, out)}), true
}

func serve(p *parent) int {
	for {
		message := p.Receive()
		if message.Request == nil {
			return exitFault
		}
		p.ahead, p.used = map[protocol.Query]protocol.Answer{}, nil
		result := answer(p, *message.Request)
		if err := p.Send(protocol.FromChild{Result: &result, Used: p.used}); err != nil {
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
	*child.Parent[protocol.ToChild]
	// ahead are the answers that arrived before their queries, and used the queries since the last message to which they were given.
	ahead map[protocol.Query]protocol.Answer
	used  []protocol.Query
}

func (p *parent) draft(result protocol.Result) {
	if err := p.Send(protocol.FromChild{Draft: &result}); err != nil {
		os.Exit(exitFault)
	}
}

func (p *parent) ask(query protocol.Query) protocol.Answer {
	if answer, known := p.ahead[query]; known {
		p.used = append(p.used, query)
		return answer
	}
	if err := p.Send(protocol.FromChild{Query: &query, Used: p.used}); err != nil {
		os.Exit(exitFault)
	}
	p.used = nil
	message := p.Receive()
	if message.Answer == nil {
		os.Exit(exitFault)
	}
	for _, prepared := range message.Answer.Ahead {
		p.ahead[prepared.Query] = prepared.Answer
	}
	return *message.Answer
}
