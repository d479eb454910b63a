package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/salint/salint/internal/base/parallel"
)

func TestDo(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(context.Context, int, func(int)) error{"Do": parallel.Do, "DoWaiting": parallel.DoWaiting} {
		for _, n := range []int{0, 1, 100} {
			done := make([]atomic.Int32, n)
			if err := do(t.Context(), n, func(i int) { done[i].Add(1) }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for i := range done {
				if times := done[i].Load(); times != 1 {
					t.Errorf("%s: %d of %d was done %d times", name, i, n, times)
				}
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		var count atomic.Int32
		err := do(ctx, 1000, func(int) { count.Add(1); cancel() })
		if most := int32(2 * runtime.GOMAXPROCS(0)); !errors.Is(err, context.Canceled) || count.Load() > most {
			t.Errorf("%s: %d calls after the end: %v", name, count.Load(), err)
		}
	}
}
