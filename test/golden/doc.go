// Package golden runs tests whose input and expected output are files. Only tests import it. With the flag -update a test
// replaces the expected output:
//
//	go test ./cmd/salint -run 'TestGolden/fix/placeholder' -update
package golden
