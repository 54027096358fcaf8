package link

import "fmt"

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
