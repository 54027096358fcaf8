//go:build !race

package direct_test

const race = false
