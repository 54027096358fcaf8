extern int the_value;
asm(".data\n"
    "\t.include \"value.inc\"\n"
    "\t.text");
int value(void) { return the_value; }
