#define FILTER
