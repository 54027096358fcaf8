// Assembly is there with every Go, so that the declarations of entry.go compile.
