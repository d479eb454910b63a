package lsp

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// outbox sends messages in their order, in the background: a client that does not read while it writes must not block the server.
type outbox struct {
	mu    sync.Mutex
	queue []outgoing
	wake  chan struct{}
}

type outgoing struct {
	method string
	params any
	call   bool
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

// notify sends a notification.
func (o *outbox) notify(method string, params any) { o.add(outgoing{method, params, false}) }

// call sends a request whose result does not matter.
func (o *outbox) call(method string, params any) { o.add(outgoing{method, params, true}) }

func (o *outbox) add(m outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, m)
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// publish sends the diagnostics of a file, instead of those that wait to be sent.
func (o *outbox) publish(p publishDiagnosticsParams) {
	o.mu.Lock()
	for i, m := range o.queue {
		if waiting, ok := m.params.(publishDiagnosticsParams); ok && waiting.URI == p.URI {
			o.queue = append(o.queue[:i:i], o.queue[i+1:]...)
			break
		}
	}
	o.mu.Unlock()
	o.notify("textDocument/publishDiagnostics", p)
}

// send sends messages until the context or the connection ends.
func (o *outbox) send(ctx context.Context, conn *jsonrpc2.Conn) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
		o.mu.Lock()
		messages := o.queue
		o.queue = nil
		o.mu.Unlock()
		for _, m := range messages {
			var err error
			if m.call {
				_, err = conn.DispatchCall(ctx, m.method, m.params)
			} else {
				var data []byte
				if data, err = json.Marshal(m.params); err == nil {
					err = conn.Notify(ctx, m.method, json.RawMessage(data))
				}
			}
			if err != nil {
				return // the connection is closed
			}
		}
	}
}
