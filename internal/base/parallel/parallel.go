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
	var wg sync.WaitGroup
	// A counter costs less than a channel, whose sender and receivers wake one another for each number.
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
