extern int g(void) __attribute__((deprecated("see g.html, or ask. Really")));
extern int h(void) __asm__("h_renamed");
int x __attribute__((section(".my.section"), aligned(8))) = 1;
int y[2][2], z = 'a' + sizeof y[y[0][1]];
