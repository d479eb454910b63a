package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/salint/salint/rules/modules"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code: 0 if the counts are the expected ones, 1 if not, or if a difference has no reason, 2 for errors.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	expected := flags.String("counts", "", "a file with the table that is expected")
	update := flags.Bool("update", false, "write -counts")
	verbose := flags.Bool("v", false, "print each difference")
	if flags.Parse(args) != nil || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "peers: name the folder with the checkouts")
		return 2
	}
	results, err := compare(ctx, flags.Arg(0))
	if err != nil {
		fmt.Fprintln(stderr, "peers:", err)
		return 2
	}
	if *verbose {
		for _, r := range results {
			if r.outcome != agrees {
				fmt.Fprintf(stderr, "%s: %s %s: expected to fail: %t; salint: %v\n", r.outcome, r.check.peer, r.name, r.fails, r.report)
			}
		}
	}
	text := table(results)
	fmt.Fprint(stdout, text)
	return conclude(text, *expected, *update, stderr)
}

// conclude compares the table with the expected one, or writes it.
func conclude(text, file string, update bool, stderr io.Writer) int {
	switch {
	case file == "":
		return 0
	case update:
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			fmt.Fprintln(stderr, "peers:", err)
			return 2
		}
		return 0
	}
	want, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(stderr, "peers:", err)
		return 2
	}
	if string(want) != text {
		fmt.Fprintf(stderr, "peers: %s has another table: see what is different, and correct the checks or write it with -update\n", file)
		return 1
	}
	return 0
}

// outcome is how an answer compares.
type outcome string

const (
	agrees  outcome = "agrees"
	differs outcome = "differs on purpose"
	missing outcome = "missing"
)

// result is the outcome for an input.
type result struct {
	input
	report  report
	outcome outcome
}

func compare(ctx context.Context, folder string) ([]result, error) {
	var all []result
	for i := range checks {
		found, err := inputs(folder, &checks[i])
		if err != nil {
			return nil, err
		}
		for _, in := range found {
			all = append(all, result{input: in})
		}
	}
	next := make(chan *result, len(all))
	for i := range all {
		next <- &all[i]
	}
	close(next)
	group, ctx := errgroup.WithContext(ctx)
	cache := modules.NewCache()
	for range runtime.NumCPU() {
		group.Go(func() error { return askAll(ctx, cache, next) })
	}
	return all, group.Wait()
}

// askAll asks about inputs until there are none.
func askAll(ctx context.Context, cache *modules.Cache, inputs <-chan *result) error {
	a, err := newAsker(ctx, cache)
	if err != nil {
		return err
	}
	defer a.close()
	for in := range inputs {
		if in.report, err = a.ask(ctx, in.input); err != nil {
			return fmt.Errorf("%s %s: %w", in.check.peer, in.name, err)
		}
		in.outcome = outcomeOf(in.input, in.report)
	}
	return nil
}

func outcomeOf(in input, r report) outcome {
	switch found := r.has(in.check.signals, in.object); {
	case found == in.fails:
		return agrees
	case in.check.why(in) != "":
		return differs
	}
	return missing
}

// table counts the outcomes of each check, with the reasons of differences, and those of each program.
func table(results []result) string {
	var b strings.Builder
	of := map[string]counts{}
	reasons := map[*check][]string{}
	for _, r := range results {
		for _, key := range []string{"", r.check.peer, r.check.peer + r.check.name} {
			of[key] = of[key].plus(r.outcome)
		}
		if why := r.check.why(r.input); r.outcome == differs && !slices.Contains(reasons[r.check], why) {
			reasons[r.check] = append(reasons[r.check], why)
		}
	}
	b.WriteString("| program | inputs | agrees | differs on purpose | missing |\n|---|---|---|---|---|\n")
	var seen []string
	for _, c := range checks {
		if !slices.Contains(seen, c.peer) {
			seen = append(seen, c.peer)
			fmt.Fprintf(&b, "| %s | %s |\n", c.peer, of[c.peer])
		}
	}
	fmt.Fprintf(&b, "| all | %s |\n\n", of[""])
	b.WriteString("| program | check | inputs | agrees | differs on purpose | missing | why |\n|---|---|---|---|---|---|---|\n")
	for i := range checks {
		c := &checks[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.peer, c.name, of[c.peer+c.name], strings.Join(reasons[c], "; "))
	}
	return b.String()
}

// counts are the numbers of outcomes.
type counts struct{ agrees, differs, missing int }

func (c counts) plus(o outcome) counts {
	switch o {
	case agrees:
		c.agrees++
	case differs:
		c.differs++
	default:
		c.missing++
	}
	return c
}

func (c counts) String() string {
	return fmt.Sprintf("%d | %d | %d | %d", c.agrees+c.differs+c.missing, c.agrees, c.differs, c.missing)
}
