const char *s = R"x(asm(".text))x";
