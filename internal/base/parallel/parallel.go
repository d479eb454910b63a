// Package parallel spreads work over the processors.
package parallel

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls work with 0 to n-1 on all processors, and stops early when ctx is done. The error is that of ctx.
func Do(ctx context.Context, n int, work func(i int)) error {
	// A counter costs less than a channel, whose sender and receivers wake one another for each number.
	var next atomic.Int64
	each(n, func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			work(i)
		}
	})
	return ctx.Err()
}

// Each calls work once on each processor, at the same time, and waits for all. The calls divide the work among themselves.
func Each(work func()) { each(math.MaxInt, work) }

func each(most int, work func()) {
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), most) {
		wg.Go(work)
	}
	wg.Wait()
}
