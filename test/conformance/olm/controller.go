package olm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/server"
)

// controller is a running operator-controller.
type controller struct {
	process *server.Process
	stop    context.CancelFunc
}

// Run applies the standard manifests of a release and runs its operator-controller, instead of the one that runs now. It
// has the release's feature gates, and those of the arguments, such as SyntheticPermissions=true.
func (c *Cluster) Run(ctx context.Context, v Version, gates ...string) error {
	return c.run(ctx, v, "standard.yaml", gates)
}

// RunExperimental does the same with the experimental manifests, which have more definitions and switch on other gates.
func (c *Cluster) RunExperimental(ctx context.Context, v Version, gates ...string) error {
	return c.run(ctx, v, "experimental.yaml", gates)
}

func (c *Cluster) run(ctx context.Context, v Version, file string, gates []string) error {
	c.Stop()
	text, err := v.manifests(file)
	if err != nil {
		return err
	}
	r, err := readRelease(text)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", file, v.Name, err)
	}
	if err := c.install(ctx, r); err != nil {
		return err
	}
	arguments := r.gates
	for _, gate := range gates {
		arguments = append(arguments, "--feature-gates="+gate)
	}
	return c.start(ctx, v, arguments)
}

// Stop ends operator-controller as Kubernetes would, and waits until it has ended.
func (c *Cluster) Stop() {
	if c.controller != nil {
		c.controller.stop()
		<-c.controller.process.Exited
		c.controller = nil
	}
}

// start runs the program as the account of the release and waits until it is ready.
func (c *Cluster) start(ctx context.Context, v Version, arguments []string) error {
	program, err := v.Program()
	if err != nil {
		return err
	}
	token, err := c.token(ctx)
	if err != nil {
		return err
	}
	c.starts++
	folder := filepath.Join(c.folder, fmt.Sprintf("%s-%d", v.Name, c.starts))
	if err := writeHome(folder, c.Config.Host, token); err != nil {
		return err
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	arguments = append([]string{
		"--kubeconfig=" + filepath.Join(folder, "kubeconfig"), "--cache-path=" + filepath.Join(folder, "cache"),
		"--system-namespace=" + namespace, "--health-probe-bind-address=" + address,
		"--catalogd-cas-dir=" + c.trusted(), "--pull-cas-dir=" + c.trusted(),
	}, arguments...)
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	cmd := exec.CommandContext(running, program, arguments...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	// The machine's own settings for registries, policies, and proxies are not used.
	cmd.Env = []string{"HOME=" + folder, "TMPDIR=" + folder, "PATH=" + os.Getenv("PATH")}
	if err := withToken(cmd, folder); err != nil {
		stop()
		return err
	}
	process, err := server.Launch(cmd, filepath.Join(folder, "operator-controller.log"))
	if err != nil {
		stop()
		return err
	}
	c.controller = &controller{process, stop}
	return c.awaitReady(ctx, v, address)
}

// token returns a token of the controller's account, with which it has the permissions of the release and no more.
func (c *Cluster) token(ctx context.Context) (string, error) {
	seconds := int64(time.Hour / time.Second)
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	answer, err := c.Client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, account, request, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return answer.Status.Token, nil
}

const kubeconfig = `{apiVersion: v1, kind: Config, current-context: main,
clusters: [{name: main, cluster: {server: "HOST", insecure-skip-tls-verify: true}}],
contexts: [{name: main, context: {cluster: main, user: main}}],
users: [{name: main, user: {token: "TOKEN"}}]}
`

// writeHome writes the files that the program reads: how it reaches the API server, a token in the place where its source
// expects one, and that images need no signature.
func writeHome(folder, host, token string) error {
	for file, text := range map[string]string{
		"kubeconfig":                         strings.NewReplacer("HOST", host, "TOKEN", token).Replace(kubeconfig),
		tokenFile:                            token,
		".config/containers/policy.json":     `{"default": [{"type": "insecureAcceptAnything"}]}`,
		".config/containers/registries.conf": "",
	} {
		if err := writeFile(filepath.Join(folder, file), text); err != nil {
			return err
		}
	}
	return nil
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func (c *Cluster) awaitReady(ctx context.Context, v Version, address string) error {
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		select {
		case <-c.controller.process.Exited:
			program, _ := v.Program()
			return false, fmt.Errorf("%s did not get ready as operator-controller %s: %w", program, v.Name, c.controller.process.Failure())
		default:
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
		if err != nil {
			return false, err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, nil // it does not listen yet
		}
		return answer.StatusCode == http.StatusOK, answer.Body.Close()
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("operator-controller %s did not get ready: %w\n%s", v.Name, err, c.Log(""))
	}
	return err
}

// Log returns the last lines of the controller's log that contain a text, such as the name of an extension.
func (c *Cluster) Log(containing string) string {
	if c.controller == nil {
		return "operator-controller does not run"
	}
	return c.controller.process.Tail(containing)
}
