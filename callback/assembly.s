// Assembly is there with every Go, so that the declaration of the trampolines compiles.
