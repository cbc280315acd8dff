// for shell scripts: `truth LABEL` writes that the wait begins now
#include "truth.h"
int main(int argc, char **argv) { truth(argc > 1 ? argv[1] : "wait"); return 0; }
