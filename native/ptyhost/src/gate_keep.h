/*
 * Keeps what the programs of a terminal delete and overwrite where nothing is asked about, so that a person can put it back.
 *
 * Two kinds of rows in the gate's table are for it: `keeps BYTES FOLDER`, where files are kept and how many bytes of one job, and `unkept NAME`: folders
 * of that name hold what can be made again, and nothing in them is kept.
 *
 * FOLDER is made with the first file. In it is a folder for each SEGMENT_FILES of them, named by its number, so that old ones can be removed. A segment holds
 * the files, named by numbers, and `records`, which are texts with a NUL after each:
 *   job ID PROGRAM COMMAND                      before the first file of a job (a process group) in this segment
 *   file JOB AT WHY HOW MODE SIZE NAME PATH     AT is in ms since 1970, MODE is octal
 * WHY is `delete`, `replace` or `write`. HOW is `link` for a further name of the file, `copy`, `folder` for one that was deleted, which has no file here,
 * or `lost` for a file that could not be kept.
 */
#ifndef PTYHOST_GATE_KEEP_H
#define PTYHOST_GATE_KEEP_H

#include "gate_trap.h"

#include <stdbool.h>

void gate_keep_read(int table);
/* Before the call goes on: keeps what it takes away. False for a deletion whose file cannot be kept: that is asked about. */
bool gate_keep(const struct gate_trap *);

#endif
