package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// Blobs reads many files of commits with one run of git. It can be used by several goroutines.
type Blobs struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	// messages are what git prints about errors.
	messages bytes.Buffer
	err      error
}

// Blobs starts git, which runs until the reader is closed or the context ends.
func (r *Repository) Blobs(ctx context.Context) (*Blobs, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errNoGit
	}
	args := append(gitOptions[:len(gitOptions):len(gitOptions)], "cat-file", "--batch")
	b := &Blobs{cmd: exec.CommandContext(ctx, program, args...)}
	b.cmd.Dir, b.cmd.Env = r.root, withSettings(gitEnv(os.Environ()), r.noFilters)
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.cmd.Stderr = &b.messages
	b.out = bufio.NewReaderSize(out, 1<<16)
	return b, b.cmd.Start()
}

// Close ends git.
func (b *Blobs) Close() {
	b.in.Close()
	b.cmd.Process.Kill() //nolint:errcheck // it can have ended
	b.cmd.Wait()         //nolint:errcheck // it was killed
}

// Read returns the content of one file.
func (b *Blobs) Read(object string) (data []byte, err error) {
	err = b.ReadAll([]string{object}, func(_ int, content []byte) { data = content })
	return data, err
}

// ReadAll calls each with the content of every file, in their order. A partial clone can lack some of them: they are left out, and the
// error, after all others were read, is that of IsMissing.
func (b *Blobs) ReadAll(objects []string, each func(i int, data []byte)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	written := make(chan error, 1)
	go func() { // git writes before it has read everything, so that both ends would wait for each other
		_, err := io.WriteString(b.in, strings.Join(objects, "\n")+"\n")
		written <- err
	}()
	var missing error
	for i, object := range objects {
		data, err := b.next(object)
		switch {
		case IsMissing(err) && b.err == nil:
			missing = err
		case err != nil:
			b.err = err
			return err
		default:
			each(i, data)
		}
	}
	b.err = <-written
	return cmp.Or(b.err, missing)
}

// IsMissing reports whether an error says that a partial clone lacks a file.
func IsMissing(err error) bool { return errors.Is(err, errMissingObject) }

// errMissingObject is the error of a partial clone. Nothing is fetched.
var errMissingObject = errors.New("this clone is partial and lacks files that are needed: clone without --filter, or run `git fetch --refetch --no-filter`")

// next reads one answer: <object> SP blob SP <size> LF <content> LF, see git-cat-file(1).
func (b *Blobs) next(object string) ([]byte, error) {
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, b.ended(err)
	}
	fields := strings.Fields(head)
	if len(fields) == 2 && fields[1] == "missing" {
		return nil, errMissingObject
	}
	if len(fields) != 3 || fields[0] != object {
		return nil, fmt.Errorf("git cat-file: unexpected answer %q", head)
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 {
		return nil, fmt.Errorf("git cat-file: unexpected answer %q", head)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	return data[:size:size], nil
}

// ended returns why git has ended. Some versions end at the first file that a partial clone lacks.
func (b *Blobs) ended(err error) error {
	b.in.Close()
	b.cmd.Wait() //nolint:errcheck // its messages say more; it makes them complete
	b.err = &gitError{command: "cat-file", message: strings.TrimSpace(b.messages.String()), err: err}
	return b.err
}
