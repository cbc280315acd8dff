/*
 * A multiplexer passes input to one of its panes without reporting which. A process that waited on a pane at the time of
  * the input and has run since has taken it. A new pane was opened by the input, and gets the next one while its program starts.
 */
#include "panes.h"

#include "tty_wait.h"

#include <string.h>
#include <unistd.h>

size_t inner_terminals(const struct facts_terminal *t, const struct process_stat *processes, size_t count,
                       struct inner *inner)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++) {
		const struct process_stat *p = &processes[i];
		if (p->terminal == 0 || p->terminal == t->device || p->terminal_foreground <= 0)
			continue;
		size_t at = 0;
		while (at < found && inner[at].device != p->terminal)
			at++;
		if (at == found && found < PANES_MAX)
			inner[found++] = (struct inner){.device = p->terminal, .foreground = p->terminal_foreground};
	}
	return found;
}

static uint64_t slices_of(pid_t process)
{
	int fd = thread_file(process, process, "schedstat");
	uint64_t slices = thread_slices(fd, NULL);
	if (fd >= 0)
		close(fd);
	return slices;
}

static bool waits(const struct process_stat *process, dev_t device)
{
	int fd = thread_file(process->pid, process->pid, "syscall");
	struct tty_wait wait;
	bool found = fd >= 0 && tty_wait_read(fd, process->pid, device, true, &wait) == 0 && wait.kind != WAIT_NONE;
	if (fd >= 0)
		close(fd);
	return found;
}

static pid_t waiter_on(const struct inner *inner, const struct process_stat *processes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (processes[i].terminal == inner->device && processes[i].group == inner->foreground &&
		    waits(&processes[i], inner->device))
			return processes[i].pid;
	return 0;
}

static const struct pane *noted_of(const struct panes *panes, dev_t device)
{
	for (size_t i = 0; i < panes->count; i++)
		if (panes->noted[i].device == device)
			return &panes->noted[i];
	return NULL;
}

void panes_note(struct panes *panes, const struct inner *inner, size_t count, const struct process_stat *processes,
                size_t process_count)
{
	struct pane noted[PANES_MAX];
	for (size_t i = 0; i < count; i++) {
		const struct pane *before = noted_of(panes, inner[i].device);
		pid_t waiter = waiter_on(&inner[i], processes, process_count);
		bool is_new = panes->count > 0 && (!before || before->starts);
		noted[i] = (struct pane){.device = inner[i].device, .waiter = waiter, .starts = is_new && !waiter,
		                         .slices = waiter ? slices_of(waiter) : 0};
	}
	memcpy(panes->noted, noted, count * sizeof *noted);
	panes->count = count;
	panes->newest = 0;
	for (size_t i = 0; i < process_count; i++)
		panes->newest = processes[i].pid > panes->newest ? processes[i].pid : panes->newest;
}

bool panes_start(const struct panes *panes, pid_t relay, const struct process_stat *processes, size_t process_count)
{
	for (size_t i = 0; i < process_count; i++)
		if (panes->count > 0 && processes[i].pid > panes->newest && processes[i].parent == relay &&
		    processes[i].terminal == 0 && processes[i].state != 'Z')
			return true;
	return false;
}

static bool took_input(const struct panes *panes, const struct inner *inner)
{
	const struct pane *before = noted_of(panes, inner->device);
	return !before || before->starts || (before->waiter != 0 && slices_of(before->waiter) != before->slices);
}

static bool rests(const struct panes *panes, const struct inner *inner)
{
	const struct pane *before = noted_of(panes, inner->device);
	return before && before->waiter != 0 && slices_of(before->waiter) == before->slices;
}

static void find_taker(struct panes *panes, const struct inner *inner, size_t count)
{
	for (size_t i = count; panes->count > 0 && !panes->taken && i-- > 0;)
		if (took_input(panes, &inner[i])) {
			panes->taken = true;
			panes->active = inner[i].device;
		}
	panes->all_rest = !panes->taken;
	for (size_t i = 0; i < count && panes->all_rest; i++)
		panes->all_rest = rests(panes, &inner[i]);
}

size_t panes_choose(struct panes *panes, bool passing, const struct inner *inner, size_t count,
                    const struct process_stat *processes, size_t process_count)
{
	panes->all_rest = false;
	if (!passing)
		find_taker(panes, inner, count);
	for (size_t i = 0; i < count; i++)
		if (inner[i].device == panes->active)
			return i;
	for (size_t i = count; i-- > 0;)
		if (waiter_on(&inner[i], processes, process_count) != 0)
			return i;
	return count - 1;
}
