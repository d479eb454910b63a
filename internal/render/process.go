package render

import (
	"context"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/internal/render/protocol"
)

// childProcess is a running child.
type childProcess struct {
	*child.Process
	gone bool
}

func start(memory int64) (*childProcess, error) {
	p, err := child.Start(protocol.ChildFlag, memory)
	if err != nil {
		return nil, err
	}
	return &childProcess{Process: p}, nil
}

// exchange sends a request and answers queries until it receives the result. If only the part after a draft exceeds a
// limit, the draft is the result. In that case, and after an error, the process is stopped.
func (p *childProcess) exchange(ctx context.Context, j job, l Limits) (*protocol.Result, error) {
	ours, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	stop := context.AfterFunc(ours, p.Kill)
	p.LimitOutput(encoded(l))
	result, draft, err := p.talk(j)
	if err == nil && result.Size() > l.Output {
		draft, err = nil, child.ErrOutput
	}
	if stop() && err == nil {
		return result, nil
	}
	p.Kill()
	p.gone = true
	if draft != nil && draft.Size() <= l.Output && ctx.Err() == nil {
		return draft, nil
	}
	if errors.Is(err, errUnlikeAhead) {
		return nil, err
	}
	return nil, p.explain(ours, err, l)
}

// encoded returns the maximum size of a result in JSON, in which a line break takes two bytes, and which includes the
// sources of a chart's templates.
func encoded(l Limits) int64 { return 2*(l.Input+l.Output) + 1<<20 }

// talk also returns the draft if the final result did not arrive.
func (p *childProcess) talk(j job) (result, draft *protocol.Result, err error) {
	if err := p.Send(protocol.ToChild{Request: &j.request}); err != nil {
		return nil, nil, err
	}
	ahead := ahead{job: j}
	for {
		var message protocol.FromChild
		if err := p.Receive(&message); err != nil {
			return nil, draft, err
		}
		if err := ahead.use(message.Used); err != nil {
			return nil, draft, err
		}
		switch {
		case message.Result != nil:
			return message.Result, draft, nil
		case message.Draft != nil:
			draft = message.Draft
			continue
		case message.Query == nil || j.files == nil:
			return nil, draft, errors.New("unexpected answer")
		}
		answer := j.files(*message.Query)
		answer.Ahead = ahead.after(*message.Query, answer)
		if err := p.Send(protocol.ToChild{Answer: &answer}); err != nil {
			return nil, draft, err
		}
	}
}

// explain returns why there is no result: a limit of time, memory or output, or an error in a library.
func (p *childProcess) explain(ctx context.Context, err error, l Limits) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &LimitError{Message: fmt.Sprintf("stopped after %s, the limit (limits.renderTime)", l.Time), Time: true}
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, child.ErrOutput):
		return tooMuch("stopped: the result has more than %s", bytesText(l.Output))
	}
	crash := p.Crash()
	switch {
	case crash.Memory:
		return &LimitError{Message: "stopped: " + crash.Reason + " (limits.renderMemory)", memory: true}
	case crash.Endless:
		return tooMuch("stopped: %s", crash.Reason)
	}
	return fmt.Errorf("rendering stopped: %s", crash.Reason)
}
