package main

import (
	"fmt"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob sends a thousand small messages to the broker that the library has
// for tests, and waits until each has been acknowledged.
func BenchmarkJob(b *testing.B) {
	p, err := kafka.NewProducer(&kafka.ConfigMap{"test.mock.num.brokers": 1, "linger.ms": 1, "go.delivery.report.fields": "key,value"})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
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
