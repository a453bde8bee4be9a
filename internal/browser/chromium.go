package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// All tests in a process share this state. Run releases it.
var (
	sharedDir string   // temporary folder
	ends      []func() // cleanup functions, called in reverse order

	sharedBinary   = sync.OnceValues(buildBinary)
	sharedChromium = sync.OnceValues(startChromium)
	sharedSample   = sync.OnceValues(serveSample)
)

// Run runs tests or benchmarks and then releases what they share. TestMain passes the result to os.Exit.
func Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sabine-browser")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	sharedDir = dir
	defer func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
		os.RemoveAll(dir)
	}()
	return m.Run()
}

// program is the name of the browser's program in Debian.
const program = "chromium"

// needChromium skips a test if the machine has no chromium.
func needChromium(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("NOT TESTED IN A BROWSER: chromium is not installed: run scripts/install chromium")
	}
}

func startChromium() (context.Context, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, err
	}
	allocated, free := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path),
		chromedp.Headless,
		chromedp.NoFirstRun,
		chromedp.NoSandbox, // required for root in a container; all pages are our own
		chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), // shared memory is limited to 64 MB in a container
		// Prevent requests that pages do not send, and slow tabs in the background.
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-default-apps", true),
		chromedp.Flag("disable-features", "Translate,OptimizationHints,MediaRouter"),
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("force-color-profile", "srgb"),
	)
	ctx, stop := chromedp.NewContext(allocated)
	ends = append(ends, func() {
		stop()
		free()
	})
	if err := chromedp.Do(ctx); err != nil { // the first Do starts the browser
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ctx, nil
}

// buildBinary builds the program with make and returns its path.
func buildBinary() (string, error) {
	if out, err := exec.Command("make", "--no-print-directory", "-C", "../..", "build").CombinedOutput(); err != nil {
		return "", fmt.Errorf("make build: %w\n%s", err, out)
	}
	return filepath.Abs("../../bin/sabine")
}
