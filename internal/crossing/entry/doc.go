// Package entry is the way from C into Go for function pointers of package callback.
package entry
