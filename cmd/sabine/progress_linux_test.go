package main

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// TestAProgressBarFitsItsTerminal checks the width of the bar, because a wrapped line cannot be erased.
func TestAProgressBarFitsItsTerminal(t *testing.T) {
	for _, columns := range []int{80, 40} {
		terminal, screen := openTerminal(t, columns)
		p := newProgress(terminal)
		p.report("check the content hash", 248_000_000, 310_000_000, "bytes")
		p.end()
		if err := terminal.Close(); err != nil {
			t.Fatal(err)
		}
		drawn := make([]byte, 1<<16)
		n, err := screen.Read(drawn)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(drawn[:n]), "80%") {
			t.Errorf("%d columns: no bar in %q", columns, drawn[:n])
		}
		for line := range strings.SplitSeq(string(drawn[:n]), "\r") {
			if width := utf8.RuneCountInString(line); width > columns {
				t.Errorf("the terminal has %d columns, %q takes %d", columns, line, width)
			}
		}
	}
}

// openTerminal creates a terminal with the given number of columns. Read its output from screen.
func openTerminal(t *testing.T, columns int) (terminal, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0), unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ,
		&unix.Winsize{Row: 24, Col: uint16(columns)}))
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return terminal, screen
}
