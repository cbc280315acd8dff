/* The records of kept files, in the form that gate_keep.h describes. */
#ifndef PTYHOST_GATE_RECORDS_H
#define PTYHOST_GATE_RECORDS_H

#include "gate_paths.h"
#include "gate_state.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

void gate_records_in(const char *folder);
/* Opens the segment for the next file. False with errno where it cannot be made. */
bool gate_records_open(void);
void gate_records_close(void);
/* Its descriptor. */
int gate_records_folder(void);
/* The job of this process group, whose leader began then (0: not known). The thread is described where the job is new. */
struct gate_kept_job *gate_records_job(pid_t thread, pid_t group, int64_t start);
/* Writes what was recorded, once the first of it has waited for a moment or `is_end`. Returns the ms until then, or -1 without any. */
int gate_records_flush(bool is_end);
/* `name`: in the segment; empty without a file. */
bool gate_records_file(const struct gate_kept_job *, const struct gate_place *, const char *why, const char *how, uint64_t size, const char *name);

#endif
