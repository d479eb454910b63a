//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/template"
	"time"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/test/long"
)

// The budget of each input. Time on a busy machine is that of the processor; nothing runs longer than the last limit.
const (
	hostileTime   = 20 * time.Second
	hostileMemory = 1 << 30
	hostileEnd    = 90 * time.Second
)

// hostileCase is one input of fixtures/hostile/inputs: files that are described, a command, and what must hold for its output.
type hostileCase struct {
	name  string
	line  string
	exit  int
	says  []string // what the output has to contain
	lacks []string // what it must not contain
	files []hostileFile
}

// failure is the exit code of a case that may end with findings or an error.
const failure = -1

// hostileFile is a file, a symlink, a pipe, or an archive.
type hostileFile struct{ kind, name, text string }

// TestHostileInputs runs salint as a process on each input, and measures the time, and the memory of all its processes together. A
// short run takes a third of the inputs.
func TestHostileInputs(t *testing.T) {
	t.Parallel()
	if child.RaceDetector {
		t.Skip("the race detector needs several times the memory")
	}
	cases := hostileCases(t)
	if len(cases) < 60 {
		t.Errorf("only %d cases", len(cases))
	}
	var mu sync.Mutex
	var figures []string
	t.Cleanup(func() {
		slices.Sort(figures)
		for _, figure := range figures {
			t.Log(figure)
		}
	})
	for i, c := range cases {
		if i%long.Runs(5, 1) != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			took, memory := c.run(t)
			mu.Lock()
			defer mu.Unlock()
			figures = append(figures, fmt.Sprintf("%6.2f s %5d MiB %s", took.Seconds(), memory>>20, c.name))
			if took > hostileTime {
				t.Errorf("it took %v", took)
			}
			if memory > hostileMemory {
				t.Errorf("the processes used %d MiB", memory>>20)
			}
		})
	}
}

func (c hostileCase) run(t *testing.T) (took time.Duration, memory int64) {
	t.Helper()
	dir := t.TempDir()
	makeRepository(t, dir)
	for _, f := range c.files {
		f.write(t, dir)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hostileEnd)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], strings.Fields(c.line)...)
	command.Dir, command.Env = dir, append(os.Environ(), asProgram+"=1", "SALINT_TEST_SECRET="+outsideMarker)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	begin := time.Now()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = command.Wait()
	}()
	memory = peakOfTree(command.Process.Pid, done)
	took = time.Since(begin)
	if took > hostileTime {
		took = min(took, command.ProcessState.UserTime()+command.ProcessState.SystemTime())
	}
	if ctx.Err() != nil {
		t.Errorf("it did not end within %v", hostileEnd)
	}
	c.check(t, strings.ReplaceAll(out.String(), dir, "DIR"), command.ProcessState.ExitCode())
	return took, memory
}

func (c hostileCase) check(t *testing.T, out string, exit int) {
	t.Helper()
	shown := out[:min(len(out), 3000)]
	if exit != c.exit && (c.exit != failure || exit != exitFindings && exit != 2) {
		t.Errorf("exit code %d, want %d:\n%s", exit, c.exit, shown)
	}
	for _, want := range c.says {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, shown)
		}
	}
	for _, unwanted := range append(c.lacks, outsideMarker, "goroutine ", "panic:") {
		if strings.Contains(out, unwanted) {
			t.Errorf("the output has %q:\n%s", unwanted, shown)
		}
	}
	if len(out) > 4<<20 {
		t.Errorf("the output has %d bytes", len(out))
	}
	if !strings.Contains(c.line, "--format github") {
		checkInert(t, c.name, out)
	}
}

// peakOfTree samples the memory of a process with its descendants until it ends, and returns the greatest sum.
func peakOfTree(pid int, done <-chan struct{}) (peak int64) {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return peak
		case <-ticker.C:
			peak = max(peak, memoryOfTree(strconv.Itoa(pid)))
		}
	}
}

var residentLine = regexp.MustCompile(`(?m)^RssAnon:\s+(\d+) kB`)

// memoryOfTree is the memory that a process and its descendants have now. Pages of the program itself do not count: they are shared.
func memoryOfTree(pid string) (sum int64) {
	status, _ := os.ReadFile("/proc/" + pid + "/status")
	if found := residentLine.FindSubmatch(status); found != nil {
		kib, _ := strconv.ParseInt(string(found[1]), 10, 64)
		sum = kib << 10
	}
	lists, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, each := range strings.Fields(string(children)) {
			sum += memoryOfTree(each)
		}
	}
	return sum
}

// hostileCases reads the cases. A line that begins with ">" is one of
//
//	> case NAME             begins a case
//	> run ARGUMENTS         the command
//	> exit CODE             its exit code, otherwise 0; "1 or 2" if it depends on whether time or memory ends first
//	> says TEXT             the output contains TEXT, a Go string without quotes; > lacks TEXT: it does not
//	> file NAME             the following lines, a template with the functions of hostileFunctions, are a file
//	> link NAME TARGET      a symlink
//	> fifo NAME             a pipe
//	> tgz NAME              an archive: the following lines are PATH = TEXT or PATH -> TARGET
func hostileCases(t *testing.T) (cases []hostileCase) {
	t.Helper()
	lists, err := filepath.Glob("../../fixtures/hostile/inputs/*.cases")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		group := strings.TrimSuffix(filepath.Base(list), ".cases")
		var own []hostileCase
		for line := range strings.Lines(string(text)) {
			own = addLine(t, own, group, line)
		}
		cases = append(cases, own...)
	}
	return cases
}

func addLine(t *testing.T, cases []hostileCase, group, line string) []hostileCase {
	t.Helper()
	directive, ok := strings.CutPrefix(line, "> ")
	word, rest, _ := strings.Cut(strings.TrimSuffix(directive, "\n"), " ")
	if ok && word == "case" {
		return append(cases, hostileCase{name: group + "/" + rest})
	}
	if len(cases) == 0 { // the comment at the beginning
		return cases
	}
	c := &cases[len(cases)-1]
	if !ok {
		if n := len(c.files); n > 0 {
			c.files[n-1].text += line
		}
		return cases
	}
	text := unquoted(t, rest)
	switch word {
	case "run":
		c.line = rest
	case "exit":
		var err error
		if c.exit, err = strconv.Atoi(rest); err != nil {
			c.exit = failure
		}
	case "says":
		c.says = append(c.says, text)
	case "lacks":
		c.lacks = append(c.lacks, text)
	case "link":
		name, target, _ := strings.Cut(text, " ")
		c.files = append(c.files, hostileFile{word, name, target})
	case "file", "fifo", "tgz":
		c.files = append(c.files, hostileFile{kind: word, name: text})
	default:
		t.Fatalf("%s: unknown line %q", c.name, line)
	}
	return cases
}

func unquoted(t *testing.T, text string) string {
	t.Helper()
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return plain
}

func (f hostileFile) write(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, generatedText(t, f.name))
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	switch {
	case err != nil:
	case f.kind == "link":
		err = os.Symlink(f.text, file)
	case f.kind == "fifo":
		err = syscall.Mkfifo(file, 0o644)
	case f.kind == "tgz":
		err = os.WriteFile(file, archived(t, f.text), 0o644)
	default:
		err = os.WriteFile(file, []byte(generatedText(t, f.text)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// hostileFunctions generate large texts from short ones.
var hostileFunctions = template.FuncMap{
	"repeat": func(n int, text string) string { return strings.Repeat(text, n) },
	// each formats the numbers from 0 to n-1: %[1]d is the number, and %[2]d the next one.
	"each": func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	},
	"extension": func(name string) string { return strings.ReplaceAll(sampleExtension, "hubble", name) },
	"policy": func(body string) string {
		return hostileMetadata + "package salint.rules.custom.bomb\n\nimport data.salint.lib\n\n" +
			"report contains lib.finding([], \"m\") if {\n\tinput.resource\n\t" + body + "\n}\n"
	},
	"chart": func() string { return sampleChart },
	"utf16": func(text string) string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, c := range []byte(text) {
			b.Write([]byte{c, 0})
		}
		return b.String()
	},
}

const hostileMetadata = `# METADATA
# title: A bomb
# description: It does not end.
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   fix: none
#   examples:
#     - bad: "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, metadata: {name: bad}}"
#     - good: "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, metadata: {name: good}}"
`

func generatedText(t *testing.T, text string) string {
	t.Helper()
	parsed, err := template.New("").Delims("<<", ">>").Funcs(hostileFunctions).Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := parsed.Execute(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archived returns a compressed archive.
func archived(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	archive := tar.NewWriter(packed)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		header := &tar.Header{Mode: 0o644, Typeflag: tar.TypeReg}
		content := ""
		if name, target, isLink := strings.Cut(line, " -> "); isLink {
			header.Name, header.Linkname, header.Typeflag = name, target, tar.TypeSymlink
		} else {
			name, text, _ := strings.Cut(line, " = ")
			content = generatedText(t, strings.ReplaceAll(text, `\n`, "\n"))
			header.Name, header.Size = name, int64(len(content))
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmp.Or(archive.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
