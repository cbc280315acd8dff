// Logs when a terminal changes between canonical and raw mode, polling every 4 ms as a peer would: "<ns> <canonical>".
#include <fcntl.h>
#include <stdio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	int fd = count > 1 ? open(arguments[1], O_RDONLY | O_NOCTTY | O_NONBLOCK) : -1;
	int last = -1;
	struct termios modes;
	while (fd >= 0 && tcgetattr(fd, &modes) == 0) {
		int canonical = (modes.c_lflag & ICANON) != 0;
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (canonical != last) {
			printf("%lld %d\n", now.tv_sec * 1000000000LL + now.tv_nsec, canonical);
			fflush(stdout);
		}
		last = canonical;
		usleep(4000);
	}
	return 0;
}
