//go:build linux

// Package link makes networks to measure on, on one machine and without a
// module in the kernel: two network namespaces, joined by a veth pair or by a
// bad link that this process plays. Traffic stays between the two. It needs
// Linux, root and iproute2; Available says what is missing.
package link

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
)

// A Link joins two namespaces.
type Link struct {
	Near, Far Namespace
	Lost      atomic.Int64 // packets that a bad link has dropped
	stop      func()
	closing   sync.Once
}

// A Namespace is one end of a link.
type Namespace struct {
	Name    string // for ip netns
	Address string // of its end of the link
}

// Command runs a program in the namespace.
func (n Namespace) Command(name string, args ...string) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", n.Name, name}, args...)...)
}

// Available says why there can be no links here, or nil.
func Available() error {
	if os.Geteuid() != 0 {
		return errors.New("link: network namespaces need root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		return errors.New("link: ip is missing; install iproute2")
	}
	name := fmt.Sprintf("wherry-try-%d", os.Getpid())
	if err := ip("netns add " + name); err != nil {
		return err
	}
	return ip("netns del " + name)
}

// newLink makes the two namespaces.
func newLink() (*Link, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	id := fmt.Sprintf("wherry-%d", os.Getpid())
	l := &Link{Near: Namespace{id + "-near", "10.99.0.1"}, Far: Namespace{id + "-far", "10.99.0.2"}}
	for _, n := range []Namespace{l.Near, l.Far} {
		if err := ip("netns add "+n.Name, "-n "+n.Name+" link set lo up"); err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

// Close takes the link and the namespaces away.
func (l *Link) Close() {
	l.closing.Do(func() {
		if l.stop != nil {
			l.stop()
		}
		ip("netns del " + l.Near.Name)
		ip("netns del " + l.Far.Name)
	})
}

// ip runs commands of iproute2.
func ip(commands ...string) error {
	for _, command := range commands {
		output, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("link: ip %s: %s", command, strings.TrimSpace(string(output)))
		}
	}
	return nil
}

// NewVeth joins two namespaces by a veth pair. Segmentation offload is off, so
// that a packet is a packet.
func NewVeth() (*Link, error) {
	l, err := newLink()
	if err != nil {
		return nil, err
	}
	err = ip(fmt.Sprintf("link add veth0 netns %s gso_max_segs 1 type veth peer name veth0 netns %s gso_max_segs 1", l.Near.Name, l.Far.Name))
	for _, n := range []Namespace{l.Near, l.Far} {
		if err == nil {
			err = ip("-n "+n.Name+" addr add "+n.Address+"/24 dev veth0", "-n "+n.Name+" link set veth0 up")
		}
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
