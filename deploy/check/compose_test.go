package check

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// project loads compose.yaml as docker compose does, with all that its profiles switch on.
func project(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{filepath.Join(deploy, "compose/compose.yaml")}, cli.WithProfiles([]string{"*"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCompositionIsDockers(t *testing.T) {
	p := project(t)
	for name, service := range p.Services {
		if !service.ReadOnly || len(service.CapDrop) != 1 || service.CapDrop[0] != "ALL" || len(service.SecurityOpt) == 0 || service.Privileged {
			t.Errorf("%s: expected a root that is read alone, no capabilities and no new privileges", name)
		}
		if strings.Contains(service.Image, "/sabine:") {
			accepts(t, name, service.Command...)
		}
		if isServer(service) {
			if check := service.HealthCheck; check == nil || check.Test[1] != "/usr/bin/sabine" {
				t.Errorf("%s: its health is not asked of the program", name)
			} else {
				accepts(t, name, check.Test[2:]...)
			}
		}
	}
	for name, secret := range p.Secrets {
		if !strings.HasPrefix(secret.File, filepath.Join(p.WorkingDir, "secrets")+"/") {
			t.Errorf("secret %s: expected a file in secrets/, got %q", name, secret.File)
		}
	}
}

// What composition and manifests rely on of the image: its user, who owns the folder that volumes are laid over, and its program.
func TestImageIsThatOfTheContainerfile(t *testing.T) {
	file := read(t, deploy+"/Containerfile")
	for _, line := range []string{"USER 65532:65532", "--chown=65532:65532 /data /var/lib/sabine", `ENTRYPOINT ["/usr/bin/sabine"]`} {
		if !strings.Contains(file, line) {
			t.Errorf("the Containerfile has no %s", line)
		}
	}
}

func isServer(s types.ServiceConfig) bool { return len(s.Command) > 0 && s.Command[0] == "serve" }

// A composition is compose.yaml, run without containers: its commands, settings and files of configuration as they stand, but
// for paths and addresses, which are those of the test.
type composition struct {
	*types.Project
	folder string // has secrets, keys, a catalogue and the volumes
	key    string // of an account
	places []string
}

// compose makes what the head of compose.yaml asks for.
func compose(t *testing.T) *composition {
	t.Helper()
	c := &composition{Project: project(t), folder: t.TempDir()}
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := private.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	secrets := c.folder + "/secrets"
	write(t, secrets+"/sign.key", string(key))
	write(t, secrets+"/sign.pub", public.String())
	write(t, secrets+"/rate-limit.secret", strings.Repeat("a secret ", 8))
	write(t, secrets+"/s3.secret", "of the S3 server")
	write(t, secrets+"/s3.credentials", "[default]\naws_access_key_id = fleet\naws_secret_access_key = of the S3 server\n")
	write(t, c.folder+"/catalogue/all.ndjson", run(t, sabine(t), "generate", "100"))
	selfSigned(t, secrets)
	if err := os.Mkdir(c.folder+"/keys", 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(sabine(t), "keys", "create", "--account", "test", "--keys", c.folder+"/keys/keys.json").Output()
	if err != nil {
		t.Fatal(err)
	}
	c.key = strings.TrimSpace(string(out))
	for name := range c.Secrets {
		if _, err := os.Stat(secrets + "/" + name); err != nil {
			t.Errorf("the secret %s is nowhere told how to make", name)
		}
	}
	c.places = []string{"/run/secrets", secrets, "0.0.0.0:", "127.0.0.1:", c.Services["proxy"].Networks["fleet"].Ipv4Address, "127.0.0.1"}
	return c
}

// command returns what a container of a service runs, by the program that is its image's.
func (c *composition) command(t *testing.T, name, program string) *exec.Cmd {
	t.Helper()
	service, here := c.Services[name], strings.NewReplacer(c.places...).Replace
	for _, volume := range service.Volumes {
		host := c.folder + "/volumes/" + volume.Source
		if volume.Type == types.VolumeTypeBind {
			host = c.folder + strings.TrimPrefix(volume.Source, c.WorkingDir)
		} else if err := os.MkdirAll(host, 0o755); err != nil {
			t.Fatal(err)
		}
		target, before := regexp.MustCompile(regexp.QuoteMeta(volume.Target)+`(/|\s|$)`), here
		here = func(text string) string { return target.ReplaceAllString(before(text), host+"$1") }
	}
	command := exec.Command(program)
	for _, arg := range service.Command {
		command.Args = append(command.Args, here(arg))
	}
	command.Env = []string{"PATH=" + os.Getenv("PATH")}
	for name, value := range service.Environment {
		command.Env = append(command.Env, name+"="+here(*value))
	}
	return command
}

// All of it comes up, publishes, and answers through the proxy, with servers in the sandbox of their unit. The S3 server is
// built by make test, Redis stands in for Valkey.
func TestCompositionRuns(t *testing.T) {
	c := compose(t)
	s3, counters := freeAddress(t), freeAddress(t)
	c.places = append(c.places, "s3:7070", s3, ":7070", s3, "counters:6379", counters)
	t.Setenv("PATH", filepath.Join(filepath.Dir(sabine(t)), "../.tools")+":"+os.Getenv("PATH"))
	need(t, "versitygw")
	store := c.command(t, "s3", "sh")
	store.Args = append([]string{"sh", "-euc"}, store.Args[1:]...)
	background(t, store)
	_, port, _ := net.SplitHostPort(counters)
	valkey := c.command(t, "counters", need(t, "redis-server"))
	valkey.Args = append(valkey.Args[:1], append(valkey.Args[2:], "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir())...)
	background(t, valkey)
	listening(t, s3)
	listening(t, counters)

	servers := map[string]server{}
	for name, service := range c.Services {
		if isServer(service) {
			command := c.command(t, name, sabine(t))
			command.Args = append(command.Args, "--poll", "200ms")
			servers[name] = start(t, sandbox(t, "sabine.service", command))
		}
	}
	if len(servers) != 3 {
		t.Errorf("expected 3 servers, got %d", len(servers))
	}
	health := func(s server) *exec.Cmd {
		check := c.Services["sabine-1"].HealthCheck.Test[2:]
		return exec.Command(sabine(t), append(check, "--admin-addr", strings.TrimPrefix(s.Admin, "http://"))...)
	}
	for name, s := range servers {
		if out, err := health(s).CombinedOutput(); err == nil {
			t.Errorf("%s is healthy before there is a generation: %s", name, out)
		}
	}
	for _, name := range []string{"build", "publish"} {
		if out, err := c.command(t, name, sabine(t)).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	for name, s := range servers {
		await(t, s.Admin+"/readyz")
		if state := get(t, s.Admin+"/readyz"); !strings.Contains(state, `"status":"ready"`) {
			t.Errorf("%s is not well: %s", name, state)
		}
		if out, err := health(s).CombinedOutput(); err != nil {
			t.Errorf("%s is not healthy: %v: %s", name, err, out)
		}
	}
	base := c.proxy(t, servers)
	for i := range 6 {
		if response, body := ask(t, base+"/api/v1/materials/search?q=holz", "Authorization", "Bearer "+c.key); response.StatusCode != http.StatusOK {
			t.Errorf("request %d: %s: %s", i+1, response.Status, body)
		}
	}
}

// Through the proxy no client can claim an address that is not its own, and so another budget.
func TestProxyTellsClientsApart(t *testing.T) {
	c := compose(t)
	folder := t.TempDir()
	s := serve(t, exec.Command(sabine(t), "serve", "--sample", "--snapshots", folder, "--keys", folder+"/keys.json",
		"--trusted-proxies", "127.0.0.1/32", "--public-limit", "2/24h"))
	base := c.proxy(t, map[string]server{"sabine-1": s, "sabine-2": s, "sabine-3": s})
	for i, want := range []int{http.StatusOK, http.StatusOK, http.StatusTooManyRequests} {
		response, body := ask(t, base+"/api/public/search?q=holz", "X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i))
		if response.StatusCode != want || response.ProtoMajor != 2 {
			t.Errorf("request %d, each from another claimed address: expected %d over HTTP/2, got %s %s: %s",
				i+1, want, response.Proto, response.Status, body)
		}
	}
}

// proxy starts nginx with the configuration of the composition before servers, by their names in it, and returns its URL.
func (c *composition) proxy(t *testing.T, servers map[string]server) string {
	t.Helper()
	nginx, text, address := need(t, "nginx"), read(t, deploy+"/compose/nginx.conf"), freeAddress(t)
	replaced := []string{"listen 8443", "listen " + address, "/run/secrets", c.folder + "/secrets", "/tmp/", c.folder + "/"}
	for name, s := range servers {
		at := c.Services[name].Networks["fleet"].Ipv4Address + ":8080"
		if !strings.Contains(text, "server "+at) {
			t.Errorf("nginx.conf does not ask %s at %s", name, at)
		}
		replaced = append(replaced, at, strings.TrimPrefix(s.API, "http://"))
	}
	path := c.folder + "/nginx.conf"
	write(t, path, strings.NewReplacer(replaced...).Replace(text))
	run(t, nginx, "-t", "-q", "-p", c.folder, "-c", path, "-e", "stderr")
	background(t, exec.Command(nginx, "-p", c.folder, "-c", path, "-e", "stderr", "-g", "daemon off; master_process off;"))
	listening(t, address)
	return "https://" + address
}

// selfSigned writes tls.crt and tls.key.
func selfSigned(t *testing.T, folder string) {
	t.Helper()
	run(t, need(t, "openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
		"-subj", "/CN=localhost", "-keyout", folder+"/tls.key", "-out", folder+"/tls.crt")
}

// ask gets a URL with one field in the head.
func ask(t *testing.T, url, field, value string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set(field, value)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}
