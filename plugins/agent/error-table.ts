// Defines the error table of messages and turns.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errorTable = {
  TURN_IN_PROGRESS: { message: 'A turn is running. Wait for it, abort it, or send with whenBusy queue (a message also with steer).', status: 409 },
  NO_TURN: { message: 'No turn is running in this chat, so there is nothing to abort.', status: 409 },
  NOT_QUEUED: { message: "No message of the turn '{turnId}' is queued in this chat: it has begun, is over, or was withdrawn already.", status: 409 },
  NOT_FOUND: { message: "This chat has no attachment '{id}'.", status: 404 },
  INVALID_REQUEST: { message: '{why}', status: 400 },
  TOO_LARGE: { message: '{what} is larger than {limit} bytes; send less.', status: 413 },
  UNEXPECTED: { message: 'The turn failed: {why}. The log of the server has the details.' },
  ABORTED: { message: 'The turn was aborted.' },
  SERVER_ENDING: { message: 'The server ended while the turn was running.' },
  TURN_TIMEOUT: { message: 'The turn took longer than {ms} ms (AGENT_SEND_TIMEOUT_MS) and was ended with what was done so far.' },
} as const satisfies Record<string, ErrorSpec>;
