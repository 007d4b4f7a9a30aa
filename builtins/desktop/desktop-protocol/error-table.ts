// Defines the errors of the desktop protocol itself; a command returns the errors of its route.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errors = {
  INVALID_REQUEST: { message: 'The frame cannot be used: {why}', status: 400 },
  UNKNOWN_VERSION: { message: 'Version {version} of the protocol is not known here. Send frames with "v": {supported}.', status: 400 },
  UNKNOWN_COMMAND: { message: 'There is no command {command}. The document at /api/openapi.json names each one as x-command.', status: 404 },
  ONLY_IN_HTTP: { message: 'The command {command} answers with a page, a file or a stream: ask for {key} over HTTP, with the same token.', status: 400 },
  TOO_MANY_CONNECTIONS: { message: 'More than {limit} clients are connected. Close one of them, or use HTTP.', status: 503 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>) => Error;
