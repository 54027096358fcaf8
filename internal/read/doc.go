// Package read answers what accel asks of the machine code of C functions.
package read
