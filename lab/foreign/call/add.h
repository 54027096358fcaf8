int add(int a, int b);
long long thread_ns(void);
long long process_ns(void);
