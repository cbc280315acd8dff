#include "gate_sockets.h"

#include "gate_arguments.h"
#include "gate_made.h"
#include "gate_paths.h"
#include "gate_replies.h"
#include "gate_table.h"

#include <fcntl.h>

/* The kernel binds no socket at a path where something is. */
void gate_sockets_expect(const struct seccomp_notif *notice)
{
	static struct gate_place place;
	static char path[PATH_MAX];
	const struct gate_caller caller = {.thread = (pid_t)notice->pid, .folder = AT_FDCWD};
	if (!gate_read_socket_path(notice, path) || gate_resolve(&caller, path, END_NAME, &place) != 0)
		return;
	/* The process may have ended, and another one have its number. */
	if (gate_is_waiting(notice) && !place.exists && *place.name && !gate_is_free(&place))
		gate_made_expect(&place);
	gate_place_close(&place);
}
