package main

// A suite is one cgo package: its own tests, and our benchmark of its main job.
type suite struct {
	name     string // folder below jobs, whose go.mod pins the module's version
	module   string
	packages []string // with the tests; default the module's root
	work     string   // the main job
	debian   string   // the packages that have the C library
	env      []string
	without  [2]string // a test file, and text in it that the tests run without
	note     string    // about the tests
}

var suites = []suite{
	{name: "sqlite3", module: "github.com/mattn/go-sqlite3", work: "a cursor over 100,000 rows"},
	{name: "crawshaw", module: "crawshaw.io/sqlite", packages: []string{".", "./sqlitex"}, work: "a cursor over 100,000 rows"},
	{name: "duckdb", module: "github.com/marcboeker/go-duckdb", work: "group 100,000 rows, read all",
		note: "two tests fetch extensions, and fail where there is no network"},
	{name: "levigo", module: "github.com/jmhodges/levigo", debian: "libleveldb-dev", work: "iterate over 10,000 records, look 1,000 up"},
	{
		name: "grocksdb", module: "github.com/linxGnu/grocksdb",
		debian: "librocksdb-dev",
		work:   "1,000 puts and gets, iterate over 10,000 records",
		// Half of the tests would end the process there: Debian's library has its assertions.
		without: [2]string{"db_test.go", "\tdb.EnableManualCompaction()\n"},
		note: "without a call of EnableManualCompaction, by which Debian's library aborts; " +
			"there TestLoadLatestOpts ends the process all the same",
	},
	{name: "zstd", module: "github.com/DataDog/zstd", env: []string{"PAYLOAD=zstd.h"}, work: "100 messages of 300 bytes there and back"},
	{name: "gozstd", module: "github.com/valyala/gozstd", work: "100 records of 100 bytes with a dictionary, there and back"},
	{name: "treesitter", module: "github.com/smacker/go-tree-sitter",
		packages: []string{".", "./bash", "./c", "./golang", "./javascript", "./python"},
		work:     "parse 1 MB of Go, visit all nodes"},
	{name: "duktape", module: "gopkg.in/olebedev/go-duktape.v3", work: "a script that calls Go 10,000 times"},
	{name: "h3", module: "github.com/uber/h3-go/v4", work: "cells of 1,000 points, and their parents"},
	{name: "geos", module: "github.com/peterstace/simplefeatures", packages: []string{"./geos"}, debian: "libgeos-dev",
		work: "100 plots against a road"},
	{name: "blst", module: "github.com/supranational/blst", packages: []string{"./bindings/go"},
		work: "16 signatures and their aggregate"},
	{name: "secp256k1", module: "github.com/ethereum/go-ethereum", packages: []string{"./crypto/secp256k1"},
		work: "10 signatures and their keys"},
	{name: "pkcs11", module: "github.com/miekg/pkcs11", debian: "softhsm2",
		work: "100 messages of 64 bytes encrypted and decrypted by SoftHSM"},
	{name: "kafka", module: "github.com/confluentinc/confluent-kafka-go/v2", packages: []string{"./kafka"},
		work: "1,000 small messages, acknowledged by the library's own broker", note: "offline: what needs a broker skips itself"},
	{name: "zmq4", module: "github.com/pebbe/zmq4", debian: "libzmq3-dev", work: "1,000 small messages from goroutine to goroutine"},
	{name: "gopacket", module: "github.com/google/gopacket", packages: []string{"./pcap"}, debian: "libpcap-dev",
		work: "a file of 100,000 packets, filtered"},
	{name: "seccomp", module: "github.com/seccomp/libseccomp-golang", debian: "libseccomp-dev",
		work: "a filter of 300 system calls by name"},
	{name: "imgui", module: "github.com/AllenDang/cimgui-go", packages: []string{"./imgui"}, work: "a frame of 200 widgets"},
	{name: "sdl2", module: "github.com/veandco/go-sdl2", packages: []string{"./sdl"},
		env: []string{"SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy"}, debian: "libsdl2-dev",
		work: "a frame of 200 rectangles and lines", note: "without a screen three tests fail"},
	{name: "webp", module: "github.com/chai2010/webp", work: "100 headers and a picture of 64 by 64"},
	{name: "opus", module: "gopkg.in/hraban/opus.v2", debian: "libopus-dev libopusfile-dev",
		work: "a second of sound in frames of 10 ms, there and back"},
	{name: "malgo", module: "github.com/gen2brain/malgo", work: "100 ms of sound to the null device",
		note: "where there is no sound card two tests fail"},
	{name: "netlib", module: "gonum.org/v1/netlib", packages: []string{"./blas/netlib"}, env: []string{"CGO_LDFLAGS=-lopenblas"},
		debian: "libopenblas-dev", work: "8,000 dot products of 16 numbers"},
}
