/* The interface of the fuzz targets. A target is one function, called with bytes by libFuzzer or by replay.c with saved inputs. */
#ifndef PTYHOST_FUZZ_H
#define PTYHOST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Always 0: no input is refused. Ends the process when a check fails. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

#define MUST(holds, what)                                                                                              \
	do {                                                                                                               \
		if (!(holds)) {                                                                                                \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, what);                                   \
			abort();                                                                                                   \
		}                                                                                                              \
	} while (0)

#endif
