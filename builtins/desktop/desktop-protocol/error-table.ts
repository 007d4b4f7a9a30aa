// Defines the errors of the desktop protocol itself; a command returns the errors of its route.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errors = {
  INVALID_REQUEST: { message: 'The frame is invalid: {why}', status: 400 },
  UNKNOWN_VERSION: { message: 'The protocol version {version} is not supported. Send frames with "v": {supported}.', status: 400 },
  UNKNOWN_COMMAND: { message: 'There is no command {command}. /api/openapi.json lists the commands as x-command.', status: 404 },
  ONLY_IN_HTTP: { message: 'The command {command} returns a page, a file or a stream. Request {key} over HTTP with the same token.', status: 400 },
  TOO_MANY_CONNECTIONS: { message: 'The limit of {limit} connected clients is reached. Close one of them, or use HTTP.', status: 503 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>) => Error;
