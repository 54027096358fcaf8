#ident "version 1.2"
int x;
