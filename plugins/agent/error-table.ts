// Defines the error table of messages and turns.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errorTable = {
  TURN_IN_PROGRESS: {
    message: 'A turn is running in this chat. Wait until it ends, abort it, or send the message with whenBusy "queue" or "steer".',
    status: 409,
  },
  NO_TURN: { message: 'No turn is running in this chat, so there is nothing to abort.', status: 409 },
  NOT_QUEUED: {
    message: "No message of the turn '{turnId}' is queued in this chat: the turn has started or ended, or the message was withdrawn.",
    status: 409,
  },
  NOT_FOUND: { message: "This chat has no attachment '{id}'.", status: 404 },
  INVALID_REQUEST: { message: '{why}', status: 400 },
  TOO_LARGE: { message: '{what} is larger than {limit} bytes. Send less.', status: 413 },
  UNEXPECTED: { message: 'The turn failed: {why}. See the server log for details.' },
  ABORTED: { message: 'The turn was aborted.' },
  SERVER_ENDING: { message: 'The server stopped while the turn was running.' },
  TURN_TIMEOUT: { message: 'The turn was ended because it took longer than {ms} ms (AGENT_SEND_TIMEOUT_MS). Its results so far are kept.' },
} as const satisfies Record<string, ErrorSpec>;
