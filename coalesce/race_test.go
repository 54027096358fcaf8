//go:build race

package coalesce

const raceDetector = true
