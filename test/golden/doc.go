// Package golden runs tests whose input and expected output are files. Only tests import it. With the flag -update a test
// writes what it produces in the place of what is expected:
//
//	go test ./cmd/salint -run 'TestGolden/fix/thanos' -update
package golden
