//go:build windows

// The clause below fails a build for Windows by one telling line: snapshots are replaced and removed while
// they are mapped, which Windows refuses. There sabine runs in WSL 2 or in a container.
package sabine_does_not_run_on_windows
