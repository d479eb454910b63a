// Package parallel spreads work over the processors.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Do calls work with 0 to n-1 on all processors, and stops early when ctx is done. The error is that of ctx.
func Do(ctx context.Context, n int, work func(i int)) error {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return ctx.Err()
}
