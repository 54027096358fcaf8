// Package shared uses no cgo.
package shared

const Zero = 0
