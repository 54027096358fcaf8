extern "C" void throwOne() { throw 1; }
