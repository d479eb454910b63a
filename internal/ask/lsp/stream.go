package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxMessage is the size of the largest message that is read: a file of the default limit (32 MiB) with escapes. maxHeader limits the
// lines of a header.
const (
	maxMessage = 72 << 20
	maxHeader  = 4 << 10
)

// stream reads and writes messages with the header Content-Length. It answers what is not a message with an error of JSON-RPC and
// reads on, because the editor would have to be restarted if one broken message ended the connection.
type stream struct {
	in    *bufio.Reader
	close func() error

	mu  sync.Mutex
	out io.Writer
}

func newStream(in io.Reader, out io.Writer, closeAll func() error) *stream {
	return &stream{in: bufio.NewReaderSize(in, 64<<10), out: out, close: closeAll}
}

// Close ends the connection.
func (s *stream) Close() error { return s.close() }

// WriteObject writes a message.
func (s *stream) WriteObject(message any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	data := bytes.TrimSuffix(body.Bytes(), []byte("\n"))
	if _, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n", len(data)); err != nil {
		return err
	}
	_, err := s.out.Write(data)
	return err
}

// ReadObject reads the next message. The error is that of the input, io.EOF at its end.
func (s *stream) ReadObject(message any) error {
	for {
		body, err := s.readBody()
		var broken *frameError
		if errors.As(err, &broken) {
			if err := s.refuse(broken.code, broken.message); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if !json.Valid(body) {
			err = s.refuse(jsonrpc2.CodeParseError, "the message is not valid JSON")
		} else if why := checkMessage(body); why != "" {
			err = s.refuse(jsonrpc2.CodeInvalidRequest, why)
		} else if err = json.Unmarshal(body, message); err == nil {
			return nil
		} else {
			err = s.refuse(jsonrpc2.CodeInvalidRequest, "the message is not a request or a response: "+err.Error())
		}
		if err != nil {
			return err
		}
	}
}

// refuse answers a message whose id is unknown.
func (s *stream) refuse(code int64, why string) error {
	return s.WriteObject(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why},
	})
}

// checkMessage returns why a valid JSON text is not a message; "" if it is one.
func checkMessage(body []byte) string {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return "the message is not an object; batches are not supported"
	}
	isRequest, isResponse := m.Method != nil, m.Result != nil || m.Error != nil
	switch {
	case isRequest == isResponse:
		return "the message is neither a request nor a response"
	case isRequest && m.Method[0] != '"':
		return "the method is not a string"
	case m.ID != nil && !isID(m.ID):
		return "the id is neither a string nor a whole number"
	}
	return ""
}

// isID reports whether a value is an id that jsonrpc2 reads.
func isID(value json.RawMessage) bool {
	var id jsonrpc2.ID
	return string(value) == "null" || json.Unmarshal(value, &id) == nil
}

// frameError reports input that is not a frame of the protocol, or that is too large.
type frameError struct {
	code    int64
	message string
}

func (e *frameError) Error() string { return e.message }

// readBody reads a header and the bytes after it. After a header without a length, it looks for the next header.
func (s *stream) readBody() ([]byte, error) {
	length := int64(-1)
	for size := 0; ; {
		line, err := s.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || size+len(line) > maxHeader && err == nil {
			if err = s.skipLine(err); err == nil {
				err = &frameError{jsonrpc2.CodeParseError, fmt.Sprintf("a header has more than %d bytes", maxHeader)}
			}
			return nil, err
		}
		if err != nil {
			return nil, err
		}
		size += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" && length >= 0 {
			break
		}
		if text == "" {
			return nil, &frameError{jsonrpc2.CodeParseError, "the header has no Content-Length"}
		}
		// A broken body can end without a line break, so the next header can begin in the middle of a line.
		if at := strings.LastIndex(strings.ToLower(text), "content-length:"); at >= 0 {
			n, err := strconv.ParseInt(strings.TrimSpace(text[at+len("content-length:"):]), 10, 64)
			if err != nil || n < 0 {
				return nil, &frameError{jsonrpc2.CodeParseError, "the Content-Length is not a number"}
			}
			length = n
		}
	}
	if length > maxMessage {
		if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
			return nil, err
		}
		return nil, &frameError{jsonrpc2.CodeInvalidRequest,
			fmt.Sprintf("the message has %d bytes, over the limit of %d, and was not read", length, maxMessage)}
	}
	// The buffer grows with what arrives: a length alone allocates nothing.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, s.in, length); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// skipLine reads the rest of a line that is longer than the buffer.
func (s *stream) skipLine(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = s.in.ReadSlice('\n')
	}
	return err
}
