extern int g(void) __attribute__((deprecated("see g.html, or ask. Really")));
extern int h(void) __asm__("h_renamed");
int x __attribute__((section(".my.section"), aligned(8))) = 1;
__asm__(".symver h_old,h@VERS_1.2.5\n.globl h_old\nh_old: ret\n.type h_old, @function\n.size h_old, .-h_old");
