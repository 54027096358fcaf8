module github.com/wherrygo/wherry/lab/realworld/jobs/kafka

go 1.24

require (
	github.com/confluentinc/confluent-kafka-go/v2 v2.11.1
	github.com/wherrygo/wherry/lab/realworld/jobs/job v0.0.0
)

replace github.com/wherrygo/wherry/lab/realworld/jobs/job => ../job
