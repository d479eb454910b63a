package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// options are the flags.
type options struct {
	salint, upstream, folder string
	// differences is the file for the differences, and counts the file with the expected counts.
	differences, counts string
	update              bool
	// newest is the number of the newest bundles of each package that are compared; 0 for all.
	newest  int
	release string
	workers int
}

// run returns the exit code: 0 if all differences have a cause, 1 if some have none or the counts differ, 2 for errors.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	bundles, err := find(o.folder)
	if err != nil {
		fmt.Fprintln(stderr, "bundles:", err)
		return 2
	}
	t, err := compare(ctx, o, bundles)
	if err != nil {
		fmt.Fprintln(stderr, "bundles:", err)
		return 2
	}
	fmt.Fprint(stdout, t.text(), t.times())
	return cmp.Or(t.write(o.differences, stderr), t.expect(o, stderr), t.unexplained(stderr))
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("bundles", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.salint, "salint", "bin/salint", "the program")
	flags.StringVar(&o.upstream, "upstream", "bin/bundles", "the folder of what build.sh builds")
	flags.StringVar(&o.differences, "differences", "", "a file for the differences, one in each line as JSON")
	flags.StringVar(&o.counts, "counts", "", "a file with the counts that are expected")
	flags.BoolVar(&o.update, "update", false, "write -counts")
	flags.IntVar(&o.newest, "newest", 0, "compare only this `number` of the newest bundles of each package, and the upgrades between them")
	flags.StringVar(&o.release, "release", "", "compare only with this release, such as olm-1.10")
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "the number of bundles that are compared at the same time")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() != 1 {
		err := errors.New("bundles: the folder of bundles is missing: go run ./test/bundles [FLAGS] FOLDER")
		fmt.Fprintln(stderr, err)
		return o, err
	}
	for _, path := range []*string{&o.salint, &o.upstream} {
		if *path, err = filepath.Abs(*path); err != nil {
			return o, err
		}
	}
	o.folder, err = filepath.Abs(flags.Arg(0))
	return o, err
}
