// Command salint finds every use of service accounts in the Kubernetes manifests of a repository that is deprecated,
// broken or too powerful, and mends it.
package main

import "os"

func main() {
	os.Exit(newCommand().Main(os.Args[1:]))
}
