package main

// A suite is one cgo package: its own tests, and our benchmark of its main job.
type suite struct {
	name           string // folder below jobs, whose go.mod pins the module's version
	module         string
	packages       []string // with the tests
	work           string   // the main job
	header, debian string   // a file that building needs, and the packages that have it
	env            []string
	without        [2]string // a test file, and text in it that the tests run without
	note           string    // about the tests
}

var suites = []suite{
	{
		name: "sqlite3", module: "github.com/mattn/go-sqlite3", packages: []string{"."},
		work: "a cursor over 100,000 rows",
	},
	{
		name: "crawshaw", module: "crawshaw.io/sqlite", packages: []string{".", "./sqlitex"},
		work: "a cursor over 100,000 rows",
	},
	{
		name: "duckdb", module: "github.com/marcboeker/go-duckdb", packages: []string{"."},
		work: "group 100,000 rows, read all",
		note: "two tests fetch extensions, and fail where there is no network",
	},
	{
		name: "levigo", module: "github.com/jmhodges/levigo", packages: []string{"."},
		header: "/usr/include/leveldb/c.h", debian: "libleveldb-dev",
		work: "iterate over 10,000 records, look 1,000 up",
	},
	{
		name: "grocksdb", module: "github.com/linxGnu/grocksdb", packages: []string{"."},
		header: "/usr/include/rocksdb/c.h", debian: "librocksdb-dev",
		work: "1,000 puts and gets, iterate over 10,000 records",
		// Half of the tests would end the process there: Debian's library has its assertions.
		without: [2]string{"db_test.go", "\tdb.EnableManualCompaction()\n"},
		note: "without a call of EnableManualCompaction, by which Debian's library aborts; " +
			"there TestLoadLatestOpts ends the process all the same",
	},
	{
		name: "zstd", module: "github.com/DataDog/zstd", packages: []string{"."}, env: []string{"PAYLOAD=zstd.h"},
		work: "100 messages of 300 bytes there and back",
	},
	{
		name: "gozstd", module: "github.com/valyala/gozstd", packages: []string{"."},
		work: "100 records of 100 bytes with a dictionary, there and back",
	},
	{
		name: "treesitter", module: "github.com/smacker/go-tree-sitter",
		packages: []string{".", "./bash", "./c", "./golang", "./javascript", "./python"},
		work:     "parse 1 MB of Go, visit all nodes",
	},
	{
		name: "duktape", module: "gopkg.in/olebedev/go-duktape.v3", packages: []string{"."},
		work: "a script that calls Go 10,000 times",
	},
	{
		name: "h3", module: "github.com/uber/h3-go/v4", packages: []string{"."},
		work: "cells of 1,000 points, and their parents",
	},
	{
		name: "geos", module: "github.com/peterstace/simplefeatures", packages: []string{"./geos"},
		header: "/usr/include/geos_c.h", debian: "libgeos-dev",
		work: "100 plots against a road",
	},
	{
		name: "blst", module: "github.com/supranational/blst", packages: []string{"./bindings/go"},
		work: "16 signatures and their aggregate",
	},
	{
		name: "secp256k1", module: "github.com/ethereum/go-ethereum", packages: []string{"./crypto/secp256k1"},
		work: "10 signatures and their keys",
	},
	{
		name: "pkcs11", module: "github.com/miekg/pkcs11", packages: []string{"."},
		header: "/usr/lib/softhsm/libsofthsm2.so", debian: "softhsm2",
		work: "100 messages of 64 bytes encrypted and decrypted by SoftHSM",
	},
	{
		name: "kafka", module: "github.com/confluentinc/confluent-kafka-go/v2", packages: []string{"./kafka"},
		work: "1,000 small messages, acknowledged by the library's own broker",
		note: "offline: what needs a broker skips itself",
	},
	{
		name: "zmq4", module: "github.com/pebbe/zmq4", packages: []string{"."},
		header: "/usr/include/zmq.h", debian: "libzmq3-dev",
		work: "1,000 small messages from goroutine to goroutine",
	},
	{
		name: "gopacket", module: "github.com/google/gopacket", packages: []string{"./pcap"},
		header: "/usr/include/pcap/pcap.h", debian: "libpcap-dev",
		work: "a file of 100,000 packets, filtered",
	},
	{
		name: "seccomp", module: "github.com/seccomp/libseccomp-golang", packages: []string{"."},
		header: "/usr/include/seccomp.h", debian: "libseccomp-dev",
		work: "a filter of 300 system calls by name",
	},
	{
		name: "imgui", module: "github.com/AllenDang/cimgui-go", packages: []string{"./imgui"},
		work: "a frame of 200 widgets",
	},
	{
		name: "sdl2", module: "github.com/veandco/go-sdl2", packages: []string{"./sdl"},
		env:    []string{"SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy"},
		header: "/usr/include/SDL2/SDL.h", debian: "libsdl2-dev",
		work: "a frame of 200 rectangles and lines",
		note: "without a screen three tests fail",
	},
	{
		name: "webp", module: "github.com/chai2010/webp", packages: []string{"."},
		work: "100 headers and a picture of 64 by 64",
	},
	{
		name: "opus", module: "gopkg.in/hraban/opus.v2", packages: []string{"."},
		header: "/usr/include/opus/opusfile.h", debian: "libopus-dev libopusfile-dev",
		work: "a second of sound in frames of 10 ms, there and back",
	},
	{
		name: "malgo", module: "github.com/gen2brain/malgo", packages: []string{"."},
		work: "100 ms of sound to the null device",
		note: "where there is no sound card two tests fail",
	},
	{
		name: "netlib", module: "gonum.org/v1/netlib", packages: []string{"./blas/netlib"}, env: []string{"CGO_LDFLAGS=-lopenblas"},
		header: "/usr/include/x86_64-linux-gnu/openblas-pthread/cblas.h", debian: "libopenblas-dev",
		work: "8,000 dot products of 16 numbers",
	},
}
