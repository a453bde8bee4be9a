package serve

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"testing"
	"time"
)

// A recordedConn notes which deadlines are set on it.
type recordedConn struct {
	net.Conn
	set []string
}

func (c *recordedConn) SetReadDeadline(at time.Time) error  { return c.note("read", at) }
func (c *recordedConn) SetWriteDeadline(at time.Time) error { return c.note("write", at) }
func (c *recordedConn) Close() error                        { return nil }

func (c *recordedConn) note(what string, at time.Time) error {
	if at.IsZero() {
		what = "no " + what
	}
	c.set = append(c.set, what)
	return nil
}

// A madeListener accepts one connection.
type madeListener struct {
	net.Listener
	conn net.Conn
}

func (l madeListener) Accept() (net.Conn, error) { return l.conn, nil }
func (l madeListener) Close() error              { return nil }

// accept returns a connection of a sweptListener around another.
func accept(t *testing.T, conn net.Conn) (*sweptListener, net.Conn) {
	t.Helper()
	s, _ := newServer(t)
	l := s.listen(madeListener{conn: conn})
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return l, c
}

func TestADeadlineIsSetOnlyWhenItIsOver(t *testing.T) {
	now := time.Now()
	in := func(d time.Duration) time.Time { return now.Add(d * time.Second) }
	type steps = func(*sweptListener, net.Conn) error
	for _, tt := range []struct {
		rule string
		do   steps
		want []string
	}{
		{"not before", func(l *sweptListener, c net.Conn) error {
			l.sweep(in(4))
			return c.SetReadDeadline(in(5))
		}, nil},
		{"when a sweep finds it over, once", func(l *sweptListener, c net.Conn) error {
			err := c.SetReadDeadline(in(5))
			l.sweep(in(6))
			l.sweep(in(7))
			return err
		}, []string{"read"}},
		{"not when it was moved before", func(l *sweptListener, c net.Conn) error {
			err := errors.Join(c.SetWriteDeadline(in(5)), c.SetWriteDeadline(in(9)))
			l.sweep(in(6))
			return err
		}, nil},
		{"not when it was lifted before", func(l *sweptListener, c net.Conn) error {
			err := errors.Join(c.SetWriteDeadline(in(5)), c.SetWriteDeadline(time.Time{}))
			l.sweep(in(6))
			return err
		}, nil},
		{"at once when it is long ago", func(_ *sweptListener, c net.Conn) error {
			return c.SetReadDeadline(longAgo)
		}, []string{"read"}},
		{"and is lifted with the next one", func(_ *sweptListener, c net.Conn) error {
			return errors.Join(c.SetReadDeadline(longAgo), c.SetReadDeadline(in(5)))
		}, []string{"read", "no read"}},
		{"also when a sweep has set it", func(l *sweptListener, c net.Conn) error {
			err := c.SetWriteDeadline(in(5))
			l.sweep(in(6))
			return errors.Join(err, c.SetWriteDeadline(time.Time{}))
		}, []string{"write", "no write"}},
		{"both at once", func(l *sweptListener, c net.Conn) error {
			err := c.SetDeadline(in(5))
			l.sweep(in(6))
			return err
		}, []string{"read", "write"}},
		{"never again once it is closed", func(l *sweptListener, c net.Conn) error {
			err := errors.Join(c.SetDeadline(in(5)), c.Close())
			l.sweep(in(6))
			return err
		}, nil},
	} {
		conn := new(recordedConn)
		l, c := accept(t, conn)
		if err := tt.do(l, c); err != nil || !slices.Equal(conn.set, tt.want) {
			t.Errorf("%s: got %q and %v, want %q", tt.rule, conn.set, err, tt.want)
		}
	}
}

func TestASweepEndsAReadWhoseTimeIsOver(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	l, c := accept(t, server)
	read := make(chan error)
	go func() {
		_, err := c.Read(make([]byte, 1))
		read <- err
	}()
	if err := c.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	l.sweep(time.Now().Add(2 * time.Hour))
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestTheEndOfAnAnswerIsTold: net/http half-closes a connection that it will not read on from, and must still be able to.
func TestTheEndOfAnAnswerIsTold(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s, _ := newServer(t)
	c, err := s.listen(listener).Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	half, ok := c.(interface{ CloseWrite() error })
	if !ok {
		t.Fatal("the connection cannot be half closed")
	}
	if err := half.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the client read %d bytes, %v, want the end", n, err)
	}
	if _, err := client.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("the server read %d bytes, %v, want what the client still sends", n, err)
	}
}
