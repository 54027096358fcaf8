package link

import "fmt"

// NewVeth joins two namespaces by a veth pair. Segmentation offload is off, so
// that a packet is a packet.
func NewVeth() (*Link, error) {
	l, err := newLink()
	if err != nil {
		return nil, err
	}
	if err := joinVeth(l.Near, l.Far); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func joinVeth(a, b Namespace) error {
	if err := ip(fmt.Sprintf("link add veth0 netns %s gso_max_segs 1 type veth peer name veth0 netns %s gso_max_segs 1", a.Name, b.Name)); err != nil {
		return err
	}
	for _, n := range []Namespace{a, b} {
		if err := ip("-n "+n.Name+" addr add "+n.Address+"/24 dev veth0", "-n "+n.Name+" link set veth0 up"); err != nil {
			return err
		}
	}
	return nil
}
