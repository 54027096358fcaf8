package coalesce

import (
	"context"
	"net"
	"net/http"
)

// A Dialer dials as Dialer.Dialer does and wraps what it gets. The zero value
// is ready to use.
type Dialer struct {
	net.Dialer
	Options []Option
}

// Dial connects and wraps. The net.Conn is a *Conn.
func (d *Dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialContext connects and wraps. The net.Conn is a *Conn.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return Wrap(c, d.Options...), nil
}

// Listener returns a listener that wraps what l accepts. For TLS it belongs
// below: tls.NewListener(coalesce.Listener(l), config), or
// server.ServeTLS(coalesce.Listener(l), certFile, keyFile).
func Listener(l net.Listener, options ...Option) net.Listener {
	return &listener{l, options}
}

type listener struct {
	net.Listener
	options []Option
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return Wrap(c, l.options...), nil
}

// Transport returns a copy of t whose connections are wrapped, TLS on top of
// them, HTTP/1 and HTTP/2 as t had them. nil stands for
// http.DefaultTransport's settings.
//
// Where t has a DialTLSContext or DialTLS of its own, https goes through that,
// which Transport leaves alone: let it dial with a Dialer.
func Transport(t *http.Transport, options ...Option) *http.Transport {
	if t == nil {
		t, _ = http.DefaultTransport.(*http.Transport)
		if t == nil { // somebody replaced it
			t = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
		}
	}
	original := t
	t = t.Clone()
	// net/http turns HTTP/2 off for transports with a DialContext. Clone has
	// made the original decide.
	if _, ok := original.TLSNextProto["h2"]; ok {
		t.ForceAttemptHTTP2 = true
	}
	dial := t.DialContext
	//lint:ignore SA1019 a transport may still have one
	if old := t.Dial; dial == nil && old != nil {
		dial = func(_ context.Context, network, address string) (net.Conn, error) { return old(network, address) }
	}
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return Wrap(c, options...), nil
	}
	return t
}
