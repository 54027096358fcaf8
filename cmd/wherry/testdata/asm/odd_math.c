double f(double x) {
	double y;
	__asm__ ("sqrtsd %1, %0\n\t.byte 0x0f, 0x1f, 0x00\n1:\tjmp 2f\n.Lx%=: 2: nop # 1.5 times" : "=x"(y) : "x"(x));
	return y;
}
