package server

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/salint/salint/test/conformance/kube"
)

// adminToken is the secret of the administrator. The server listens on loopback and contains nothing secret.
const adminToken = "administrator"

// Server is a kube-apiserver with etcd, and the controller of aggregated ClusterRoles.
type Server struct {
	// Config and Client act as an administrator, who is allowed everything before RBAC is evaluated.
	Config *rest.Config
	Client kubernetes.Interface

	kubectl, home string
	programs      []*Process
}

// Wait waits until the programs have ended, which they do some time after the context of [Start].
func (s *Server) Wait() {
	for _, p := range s.programs {
		<-p.Exited
	}
}

// Start runs a server from a folder of programs until the context ends, and waits until it is ready. Its files, logs
// included, are kept in a folder.
func Start(ctx context.Context, binaries, folder string) (*Server, error) {
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	client, peer, secure := ports[0], ports[1], ports[2]
	etcd, err := start(ctx, filepath.Join(folder, "etcd.log"), filepath.Join(binaries, "etcd"),
		"--data-dir="+filepath.Join(folder, "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+client, "--advertise-client-urls="+client, "--listen-peer-urls="+peer,
		"--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)
	if err != nil {
		return nil, err
	}
	arguments, err := apiserverArguments(folder, client, secure)
	if err != nil {
		return nil, err
	}
	apiserver, err := start(ctx, filepath.Join(folder, "kube-apiserver.log"), filepath.Join(binaries, "kube-apiserver"), arguments...)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Config: &rest.Config{
			Host: "https" + secure[len("http"):], BearerToken: adminToken, QPS: -1,
			TLSClientConfig: rest.TLSClientConfig{Insecure: true}, // it makes its own certificate
		},
		kubectl: filepath.Join(binaries, "kubectl"), home: folder, programs: []*Process{etcd, apiserver},
	}
	if s.Client, err = kubernetes.NewForConfig(s.Config); err != nil {
		return nil, err
	}
	if err := s.waitReady(ctx); err != nil {
		return nil, err
	}
	return s, kube.RunAggregation(ctx, s.Client)
}

func apiserverArguments(folder, etcd, secure string) ([]string, error) {
	key, tokens := filepath.Join(folder, "account.key"), filepath.Join(folder, "tokens.csv")
	if err := writeKey(key); err != nil {
		return nil, err
	}
	if err := os.WriteFile(tokens, []byte(adminToken+",admin,admin,system:masters\n"), 0o600); err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(secure[len("http://"):])
	if err != nil {
		return nil, err
	}
	return []string{
		"--etcd-servers=" + etcd, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port=" + port,
		"--cert-dir=" + filepath.Join(folder, "certificates"), "--authorization-mode=RBAC", "--token-auth-file=" + tokens,
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + key,
		"--service-account-signing-key-file=" + key, "--service-cluster-ip-range=10.0.0.0/24",
		"--endpoint-reconciler-type=none", "--disable-admission-plugins=ServiceAccount",
		// As in OpenShift: an identity that makes an object block the deletion of its owner needs a permission for that.
		"--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
	}, nil
}

func writeKey(file string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return os.WriteFile(file, pem.EncodeToMemory(block), 0o600)
}

// freePorts returns unused ports, as URLs.
func freePorts(n int) ([]string, error) {
	urls := make([]string, n)
	for i := range urls {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close() // only at the end, so that all are different
		urls[i] = "http://127.0.0.1:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	}
	return urls, nil
}

// waitReady waits until the server is ready and its own roles are there, or one of the programs has ended.
func (s *Server) waitReady(ctx context.Context) error {
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		for _, p := range s.programs {
			select {
			case <-p.Exited:
				return false, p.Failure()
			default:
			}
		}
		_, err := s.Client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err == nil, nil
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the API server did not get ready; its log is in %s: %w", s.home, err)
	}
	return err
}
