// Package parallel spreads work over the processors.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls work with 0 to n-1 on all processors, and stops early when ctx is done. The error is that of ctx.
func Do(ctx context.Context, n int, work func(i int)) error {
	return do(ctx, n, runtime.GOMAXPROCS(0), work)
}

// DoWaiting is Do for work that waits for other processes most of the time: twice as many calls run at the same time, so that the other
// processes have work while results are read.
func DoWaiting(ctx context.Context, n int, work func(i int)) error {
	return do(ctx, n, 2*runtime.GOMAXPROCS(0), work)
}

func do(ctx context.Context, n, calls int, work func(i int)) error {
	// A counter costs less than a channel, whose sender and receivers wake one another for each number.
	var next atomic.Int64
	each(min(calls, n), func() {
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
func Each(work func()) { each(runtime.GOMAXPROCS(0), work) }

func each(calls int, work func()) {
	var wg sync.WaitGroup
	for range calls {
		wg.Go(work)
	}
	wg.Wait()
}
