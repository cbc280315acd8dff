/* The supervisor of a gate: receives trapped calls, judges them, and lets them go on. */
#ifndef PTYHOST_GATE_SUPERVISOR_H
#define PTYHOST_GATE_SUPERVISOR_H

/* Returns when no program is left behind the gate. The table's file was read before. */
void gate_supervise(int listener);

#endif
