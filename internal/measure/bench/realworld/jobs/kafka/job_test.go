package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/wherrygo/wherry/internal/measure/bench/realworld/jobs/job"
)

// BenchmarkJob sends a thousand small messages to the broker that the library has
// for tests, and waits until each has been acknowledged.
func BenchmarkJob(b *testing.B) {
	var p *kafka.Producer
	var err error
	job.Unprofiled(b, func() {
		p, err = kafka.NewProducer(&kafka.ConfigMap{"test.mock.num.brokers": 1, "linger.ms": 1, "go.delivery.report.fields": "key,value"})
	})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	if n := unprofiled(b); n == 0 {
		b.Fatal("the library has no threads")
	}
	topic := "readings"
	var values [][]byte
	for i := range 1000 {
		values = append(values, fmt.Appendf(nil, "sensor %d reads %d degrees", i, i%40))
	}
	reports := make(chan kafka.Event, len(values))
	for range job.Ops(b) {
		for _, v := range values {
			m := &kafka.Message{TopicPartition: kafka.TopicPartition{Topic: &topic, Partition: 0}, Value: v}
			if err := p.Produce(m, reports); err != nil {
				b.Fatal(err)
			}
		}
		for i := range values {
			m := (<-reports).(*kafka.Message)
			if m.TopicPartition.Error != nil || string(m.Value) != string(values[i]) {
				b.Fatalf("message %d: got %q, %v, want %q", i, m.Value, m.TopicPartition.Error, values[i])
			}
		}
	}
}

var librarys = regexp.MustCompile(`(?s)^Name:\s+(rdk:\S+).*\nSigBlk:\s+([0-9a-f]+)\n`)

// unprofiled returns how many threads the library has, all of which block SIGPROF. A mock
// broker ends when its poll is interrupted, and then each message waits for five minutes.
func unprofiled(b *testing.B) (n int) {
	files, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		thread := librarys.FindSubmatch(text)
		if err != nil || thread == nil { // it has ended, or is Go's
			continue
		}
		blocked, err := strconv.ParseUint(string(thread[2]), 16, 64)
		if err != nil || blocked&(1<<(syscall.SIGPROF-1)) == 0 {
			b.Fatalf("%s takes signals of Go's profiler: blocks %s, want SIGPROF too", thread[1], thread[2])
		}
		n++
	}
	return n
}
