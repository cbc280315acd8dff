#include "gate_state.h"

#include <sys/mman.h>
#include <time.h>

struct gate_state *gate_state;

struct gate_state *gate_state_make(void)
{
	/* Pages that are never touched take no memory. */
	void *memory = mmap(NULL, sizeof(struct gate_state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	gate_state = memory == MAP_FAILED ? NULL : memory;
	return gate_state;
}

int64_t gate_now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec;
}

int64_t gate_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
