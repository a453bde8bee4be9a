package check

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	alertsPath    = deploy + "/prometheus/alerts.yaml"
	dashboardPath = deploy + "/grafana/sabine.json"
)

func TestAlertsArePrometheus(t *testing.T) {
	promtool := need(t, "promtool")
	run(t, promtool, "check", "rules", alertsPath)
	command := exec.Command(promtool, "test", "rules", "alerts_test.yaml")
	command.Dir = filepath.Dir(alertsPath)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The queries of the dashboard are held as if they were rules: Grafana's own variables become values of theirs.
func TestDashboardsQueriesArePrometheus(t *testing.T) {
	promtool := need(t, "promtool")
	values := strings.NewReplacer("$__rate_interval", "5m", "$__interval", "1m", "$__range", "1h", "$job", "sabine", "$instance", ".*")
	rules := new(strings.Builder)
	rules.WriteString("groups:\n  - name: dashboard\n    rules:\n")
	queries := queriesOf(t)
	if len(queries) == 0 {
		t.Fatal("the dashboard asks nothing")
	}
	for i, query := range queries {
		fmt.Fprintf(rules, "      - {record: 'query:%d', expr: %q}\n", i, values.Replace(query))
	}
	path := t.TempDir() + "/dashboard.yaml"
	write(t, path, rules.String())
	run(t, promtool, "check", "rules", path)
}

func TestMetricsAreThoseOfTheServer(t *testing.T) {
	known := metrics(t)
	asked := map[string][]string{alertsPath: {expressions(read(t, alertsPath))}, dashboardPath: queriesOf(t)}
	for path, queries := range asked {
		for _, query := range queries {
			for _, name := range regexp.MustCompile(`\b(sabine|go|process|promhttp)_[a-z0-9_]+`).FindAllString(query, -1) {
				if !known[name] {
					t.Errorf("%s: no metric of the server is %s", path, name)
				}
			}
		}
	}
}

// expressions returns what stands behind expr: in rules, and in the lines below that are further in.
func expressions(rules string) string {
	return strings.Join(regexp.MustCompile(`(?m)^ *expr:.*\n(?:          .*\n)*`).FindAllString(rules, -1), "\n")
}

// queriesOf returns all queries of the dashboard.
func queriesOf(t *testing.T) (queries []string) {
	t.Helper()
	var dashboard any
	if err := json.Unmarshal([]byte(read(t, dashboardPath)), &dashboard); err != nil {
		t.Fatalf("%s: %v", dashboardPath, err)
	}
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, element := range v {
				walk(element)
			}
		case map[string]any:
			if query, ok := v["expr"].(string); ok {
				queries = append(queries, query)
			}
			for _, member := range v {
				walk(member)
			}
		}
	}
	walk(dashboard)
	return queries
}

// metrics returns the names of what a server tells that has all there is: a store, shared counters, a certificate, an account
// whose budget is spent, and an export whose reader has gone.
func metrics(t *testing.T) map[string]bool {
	t.Helper()
	folder := t.TempDir()
	store, keys := "file://"+folder+"/store", folder+"/keys.json"
	selfSigned(t, folder)
	write(t, folder+"/secret", strings.Repeat("a secret ", 8))
	write(t, folder+"/catalogue.ndjson", run(t, sabine(t), "generate", "3000"))
	run(t, sabine(t), "build", folder+"/catalogue.ndjson", "--snapshots", folder+"/snapshots")
	run(t, sabine(t), "publish", "--snapshots", folder+"/snapshots", "--store", store)
	key, err := exec.Command(sabine(t), "keys", "create", "--account", "test", "--keys", keys).Output()
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, exec.Command(sabine(t), "serve", "--snapshots", store, "--cache", folder+"/cache", "--keys", keys, "--account-limit", "4/24h",
		"--rate-limit-store", redis(t), "--rate-limit-secret", folder+"/secret", "--tls-cert", folder+"/tls.crt", "--tls-key", folder+"/tls.key"))
	get(t, s.API+"/api/public/search?q=holz")
	bearer := "Bearer " + strings.TrimSpace(string(key))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.API+"/api/v1/export", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Authorization": {bearer}, "Accept-Encoding": {"identity"}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	for range 5 {
		ask(t, s.API+"/api/v1/materials/search?q=holz", "Authorization", bearer)
	}
	known := map[string]bool{}
	for range 600 {
		for line := range strings.Lines(get(t, s.Admin+"/metrics")) {
			known[strings.FieldsFunc(line, func(r rune) bool { return r == '{' || r == ' ' })[0]] = true
		}
		if known["sabine_http_responses_cut_total"] { // once the server has noticed
			return known
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("no response was cut")
	return known
}

// redis starts a Redis that ends with the test and returns its address.
func redis(t *testing.T) string {
	t.Helper()
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	background(t, exec.Command(need(t, "redis-server"), "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir()))
	return "redis://" + address + "/0"
}
