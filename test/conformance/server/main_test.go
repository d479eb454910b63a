package server_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/salint/salint/test/conformance/server"
)

var (
	seed = flag.Uint64("seed", 0, "the seed of the first world; 0 takes one from the clock. World n has this seed plus n")
	runs = flag.Int("runs", 40, "how many worlds are applied")
)

// folder holds the files of the programs, which end when the context does.
var (
	running, stop = context.WithCancel(context.Background())
	folder        string
)

func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetLogger(logr.Discard()) // the controller logs every start and stop
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	fmt.Printf("seed %d, %d worlds; to repeat: go test ./server -seed %[1]d -runs %[2]d\n", *seed, *runs)
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "salint-conformance-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(folder)
	defer stop()
	return m.Run()
}

// start returns the server of all tests, which the first of them starts. Without the programs the test is skipped.
func start(t *testing.T) *server.Server {
	t.Helper()
	if _, err := server.Binaries(); err != nil {
		t.Skip(err)
	}
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var shared = sync.OnceValues(func() (*server.Server, error) {
	binaries, err := server.Binaries()
	if err != nil {
		return nil, err
	}
	s, err := server.Start(running, binaries, folder)
	if err != nil {
		return nil, err
	}
	return s, s.DropDefaultBindings(running)
})
