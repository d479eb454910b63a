//go:build linux

// Command measure times programs side by side and prints a table in Markdown:
//
//	go run ./bench/measure [-runs 10] 'name: program argument …' …
//
// The programs take turns, so that other load on the machine affects them alike. Standard output goes through a
// pipe and is dropped: a program that writes to /dev/null could stop at the first match. Arguments are separated by
// spaces and cannot contain any; no shell is involved.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() { os.Exit(run()) }

func run() int {
	runs := flag.Int("runs", 10, "how often each program is run, after one run that is not counted")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	programs, err := parse(flag.Args())
	if err == nil {
		err = measureAll(ctx, programs, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		return 2
	}
	fmt.Print(table(programs))
	return 0
}
