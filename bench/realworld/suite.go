package main

// A suite is the tests of one module.
type suite struct {
	module, version string
	sum             string // of the module, as in go.sum
	packages        []string
	header, debian  string // a file that building needs, and the package that has it
	env             []string
	bench           string // which benchmarks are compared; none if empty
	note            string
}

var suites = []suite{
	{
		module: "github.com/mattn/go-sqlite3", version: "v1.14.52", sum: "h1:wVbm2Qnf4OXkqhBTSPuCRZDRnxfbVrrmiCEroVdog8U=",
		packages: []string{"."}, bench: ".",
	},
	{
		module: "github.com/uber/h3-go/v4", version: "v4.5.0", sum: "h1:7ruJoHCtYOCyihXfQRsPb4o6CfkhCBtVeZFM7+z1kww=",
		packages: []string{"."}, bench: ".",
	},
	{
		module: "github.com/DataDog/zstd", version: "v1.5.7", sum: "h1:ybO8RBeh29qrxIhCA9E8gKY6xfONU9T6G6aP9DTKfLE=",
		packages: []string{"."}, bench: ".", env: []string{"PAYLOAD=zstd.h"},
	},
	{
		module: "github.com/valyala/gozstd", version: "v1.24.0", sum: "h1:M/9L3h7bVwbj2gZwrmuoaxzwVrmBUvos2jG9cZtuhlc=",
		packages: []string{"."}, bench: "^Benchmark(Compress|Decompress|Reader|Writer|CompressDict|DecompressDict)$/^blockSize_(1|10|100|1000)$/^level_3$|^BenchmarkWriterResetAlloc$",
	},
	{
		module: "github.com/confluentinc/confluent-kafka-go/v2", version: "v2.11.1", sum: "h1:qGCQznyp2BxyBNyOE+M7O1YS2tI1/Y60O0jQP452zA4=",
		packages: []string{"./kafka"}, bench: "^BenchmarkProducerInternal",
		note: "offline: what needs a broker skips itself",
	},
	{
		module: "github.com/smacker/go-tree-sitter", version: "v0.0.0-20240827094217-dd81d9e9be82", sum: "h1:6C8qej6f1bStuePVkLSFxoU22XBS165D3klxlzRg8F4=",
		packages: []string{".", "./bash", "./c", "./golang", "./javascript", "./python"}, bench: ".",
	},
	{
		module: "github.com/supranational/blst", version: "v0.3.17", sum: "h1:OyduggShfN3CWEDdrqChEUZyt1iIsVAFApTKSzqoxAo=",
		packages: []string{"./bindings/go"}, bench: "^Benchmark(CoreSign|CoreAggregate|ToP1Affines|ToP2Affines)",
	},
	{
		module: "github.com/pebbe/zmq4", version: "v1.4.0", sum: "h1:gO5P92Ayl8GXpPZdYcD62Cwbq0slSBVVQRIXwGSJ6eQ=",
		packages: []string{"."}, header: "/usr/include/zmq.h", debian: "libzmq3-dev",
	},
	{
		module: "github.com/jmhodges/levigo", version: "v1.0.0", sum: "h1:q5EC36kV79HWeTBWsod3mG11EgStG3qArTKcvlksN1U=",
		packages: []string{"."}, header: "/usr/include/leveldb/c.h", debian: "libleveldb-dev",
	},
	{
		module: "github.com/marcboeker/go-duckdb", version: "v1.8.5", sum: "h1:tkYp+TANippy0DaIOP5OEfBEwbUINqiFqgwMQ44jME0=",
		packages: []string{"."}, bench: ".",
		note: "two tests fetch extensions, and fail where there is no network",
	},
}
