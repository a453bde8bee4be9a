//go:build windows

// The package name makes builds for Windows fail with a clear message. Windows does not allow mapped
// snapshots to be replaced or removed. Windows users can run sabine in WSL 2 or in a container.
package sabine_does_not_run_on_windows
