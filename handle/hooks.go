package handle

// A point lies between two steps of an operation. Built with the tag
// wherry_hooks, tests stop there and let other operations run.
type point uint8

const (
	lookupStart point = iota
	lookupWord
	lookupType
	lookupData
	deleteStart
	deleteAdvanced
	deleteCleared
	deleteGiven
	newTaken
	newType
	newData
	newDone
)
