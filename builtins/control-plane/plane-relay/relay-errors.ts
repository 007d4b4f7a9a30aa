// Defines the errors of the relay.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  SESSION_UNKNOWN: { message: 'There is no such remote session of yours here, or it is over. Make a new code.', status: 404 },
  CODE_TAKEN: { message: 'Another session has this code at the moment. Make a new code.', status: 409 },
  TOO_MANY_SESSIONS: { message: 'You have {limit} remote sessions here already. End one of them first.', status: 429 },
  CODE_WRONG: { message: 'This link does not count: it was mistyped, ended, or ran out. Ask for a new one.', status: 404 },
  GUEST_TAKEN: { message: 'A guest of this name is there already. Load the page again.', status: 409 },
  TOO_MANY_GUESTS: { message: 'This session has {limit} guests already.', status: 429 },
  GUESTS_ONLY: { message: 'Only a guest of a remote session can do this, with the token that joining gave.', status: 403 },
  INVALID_REQUEST: { message: 'The request cannot be used: {why}', status: 400 },
  TOO_LARGE: { message: 'A sealed message of {bytes} bytes is more than the relay takes: {limit}.', status: 413 },
  BUSY: { message: 'The relay of this control plane is full. Try again in a while, or from the local network.', status: 503 },
  NOT_BUILT: { message: "The page of guests is not built. Run 'npm run build' in the folder of the package, then load it again.", status: 503 },
  NOT_FOUND: { message: "The page of guests has no file '{name}'.", status: 404 },
} as const;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
