/* The supervisor of a gate: receives trapped calls, judges them, and lets them go on, holds them, refuses them or performs them. */
#ifndef PTYHOST_GATE_SUPERVISOR_H
#define PTYHOST_GATE_SUPERVISOR_H

/* Returns when no program is left behind the gate. The table was read before. `channel`: to the terminal's owner, -1 without. */
void gate_supervise(int listener, int channel);

#endif
