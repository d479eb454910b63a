package repo

import "sync"

// queue passes tasks to workers, newest first: a walk goes depth-first and keeps few folders open. It ends when no task is
// left that could add another.
type queue struct {
	mu      sync.Mutex
	wake    sync.Cond
	tasks   []func()
	pending int
}

func newQueue() *queue {
	q := &queue{}
	q.wake.L = &q.mu
	return q
}

func (q *queue) add(task func()) {
	q.mu.Lock()
	q.tasks = append(q.tasks, task)
	q.pending++
	q.mu.Unlock()
	q.wake.Signal()
}

// run runs all tasks, including those that tasks add, and returns when the last one is done.
func (q *queue) run(workers int) {
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for task := q.next(); task != nil; task = q.next() {
				task()
				q.done()
			}
		})
	}
	group.Wait()
}

// next waits for a task; it returns nil if there will be none.
func (q *queue) next() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) == 0 {
		if q.pending == 0 {
			return nil
		}
		q.wake.Wait()
	}
	last := len(q.tasks) - 1
	task := q.tasks[last]
	q.tasks[last] = nil
	q.tasks = q.tasks[:last]
	return task
}

func (q *queue) done() {
	q.mu.Lock()
	q.pending--
	if q.pending == 0 {
		q.wake.Broadcast()
	}
	q.mu.Unlock()
}
