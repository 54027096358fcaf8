const char *s = "asm(\".include\")";
