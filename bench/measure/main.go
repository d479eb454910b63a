//go:build linux

// Command measure times programs side by side and prints a table in Markdown:
//
//	go run ./bench/measure [-runs 10] 'name: program argument …' …
//
// The programs take turns, so that other load on the machine affects them alike. Standard output goes through a
// pipe and is dropped: a program that writes to /dev/null could stop at the first match. Arguments are separated by
// spaces and cannot contain any; no shell is involved.
//
// With -rows SUBJECT it prints the rows of a larger table, with times as multiples of the first program, and the memory of all processes.
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
	subject := flag.String("rows", "", "print only rows, about `SUBJECT`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	programs, err := parse(flag.Args())
	for _, p := range programs {
		p.together = *subject != ""
	}
	if err == nil {
		err = measureAll(ctx, programs, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		return 2
	}
	if *subject != "" {
		fmt.Print(rows(*subject, programs))
		return 0
	}
	fmt.Print(table(programs))
	return 0
}
