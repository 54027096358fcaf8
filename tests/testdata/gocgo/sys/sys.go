package sys

const DITSupported = false

func DITEnabled() bool { return false }
