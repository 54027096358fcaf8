package dep

//wherry:cgo ESC[2Jthree

// One returns 1.
func One() int { return 1 }
