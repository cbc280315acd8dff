/**
 * The Tasks extension of MCP (`io.modelcontextprotocol/tasks`, revision 2026-07-28): a call that takes long is answered
 * with a handle, and its result is fetched, or announced, when it is there.
 */

import * as z from 'zod'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** What `tasks/get`, `tasks/update` and `tasks/cancel` are given; answers to questions are added to it. */
export const taskParams = z.object({ taskId: z.string().min(1).max(256) })
