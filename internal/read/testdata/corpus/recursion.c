KEEP long not_recursive(long n) { return n < 2 ? n : not_recursive(n - 1) * 3 ^ not_recursive(n - 2); }
KEEP long not_mutual_b(long n);
KEEP long not_mutual_a(long n) { return n < 2 ? n : not_mutual_b(n - 1) * 3 ^ not_mutual_b(n / 2); }
KEEP long not_mutual_b(long n) { return n < 3 ? n : not_mutual_a(n - 2) * 5 ^ not_mutual_a(n / 3); }
struct tree { struct tree *left, *right; long v; };
KEEP long not_tree(const struct tree *t) { return t ? not_tree(t->left) * 2 + t->v + not_tree(t->right) : 0; }
