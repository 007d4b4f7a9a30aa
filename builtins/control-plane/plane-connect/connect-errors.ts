// Defines the errors of hosted connections: connecting accounts, and refreshing and revoking their tokens.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  NOT_FOUND: { message: "There is no provider '{provider}'.", status: 404 },
  NOT_SET_UP: {
    message: "Accounts at '{provider}' cannot be connected yet. The operator must register a client there, and enter its id and secret on this control plane.",
    status: 409,
  },
  NOT_OPERATOR: { message: 'Only an owner of the organisation that operates this control plane can do this.', status: 403 },
  REDIRECT_FOREIGN: {
    message: 'The redirect address is not a service on your own machine, so it cannot receive tokens. Start again from the page of your service.',
    status: 400,
  },
  STATE_INVALID: { message: 'This connection is unknown, finished, older than 10 minutes, or belongs to another person. Start again.', status: 403 },
  DECLINED: { message: 'The provider declined the connection: {why}. Nothing was connected.', status: 403 },
  INVALID_GRANT: { message: "'{provider}' no longer accepts this token. Connect the account again.", status: 400 },
  PROVIDER_UNREACHABLE: { message: "'{provider}' cannot be reached: {why}. Try again later.", status: 502 },
  PROVIDER_REFUSED: { message: "'{provider}' refused the request: {why}.", status: 502 },
  WRONG_USE: { message: '{why}', status: 400 },
} as const;

export type ConnectFault = keyof typeof errors;
export type MakeError = (reason: ConnectFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
