package conformance_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

var (
	seed = flag.Uint64("seed", 0, "the seed of the first world; 0 takes one from the clock. World n has this seed plus n")
	runs = flag.Int("runs", 3000, "how many worlds each test generates")
)

func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetLogger(logr.Discard()) // the controller logs every start and stop
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	fmt.Printf("seed %d, %d worlds; to repeat: go test . -seed %[1]d -runs %[2]d\n", *seed, *runs)
	os.Exit(m.Run())
}

// check compares the answers about manifests and returns the first difference, or "". It also gets a source of questions,
// which are the same for the same seed.
type check func(docs []string, w *world.World) (difference string, err error)

// forWorlds runs a check on many worlds. If one has a difference, the manifests that are not needed for it are removed, and
// the rest is shown with the seed.
func forWorlds(t *testing.T, options world.Options, compare check) {
	t.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(*runs) && !t.Failed(); i = next.Add(1) - 1 {
				oneWorld(t, *seed+uint64(i), options, compare)
			}
		})
	}
	workers.Wait()
}

func oneWorld(t *testing.T, seed uint64, options world.Options, compare check) {
	docs := world.New(seed, options).Docs()
	run := func(docs []string) string {
		difference, err := compare(docs, world.New(seed, options))
		if err != nil {
			return fmt.Sprintf("error: %v", err)
		}
		return difference
	}
	if run(docs) == "" {
		return
	}
	for i := len(docs) - 1; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(docs), i, i+1); run(fewer) != "" {
			docs = fewer
		}
	}
	t.Errorf("-run '^%s$' -runs 1 -seed %d\n%s\n%s", t.Name(), seed, run(docs), world.Join(docs))
}

// cluster reads manifests as an API server does, together with the roles of a new cluster. Refusals are errors, except in
// worlds with refused objects.
func cluster(docs []string, w *world.World) (*kube.Cluster, error) {
	c, err := kube.Read(world.Join(docs))
	if err != nil {
		return nil, err
	}
	if len(c.Refused) > 0 && !w.Options.Refused {
		return nil, fmt.Errorf("the API server would refuse what was meant to be valid: %w", errors.Join(c.Refused...))
	}
	return c, c.AddBuiltin()
}

// sides returns the same manifests as read by salint and by Kubernetes.
func sides(docs []string, w *world.World) (*objects.Unit, *kube.Cluster, error) {
	u, err := salint.Read(world.Join(docs))
	if err != nil {
		return nil, nil, err
	}
	c, err := cluster(docs, w)
	return u, c, err
}
