#include "gate.h"

#include "system.h"

#include <errno.h>
#include <stdio.h>

bool gate_make(const char *table, struct gate_ends *ends)
{
	(void)table;
	*ends = (struct gate_ends){-1, -1, -1};
	errno = ENOSYS;
	return false;
}

void gate_ends_close(struct gate_ends *ends) { (void)ends; }

bool gate_enter(int to_keeper)
{
	(void)to_keeper;
	errno = ENOSYS;
	return false;
}

void gate_begin(struct gate_keeping *gate, int from_program, bool is_walled)
{
	(void)from_program;
	*gate = (struct gate_keeping){.listener = -1, .requests = -1, .watch = -1};
}

void gate_restart(struct gate_keeping *gate) { (void)gate; }

int gate_wait_for(const struct gate_keeping *gate, fd_set *readable)
{
	(void)gate;
	(void)readable;
	return -1;
}

void gate_serve_supervisor(struct gate_keeping *gate, const fd_set *readable)
{
	(void)gate;
	(void)readable;
}

int gate_check_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	puts("this system has no gate");
	return 0;
}
