// Defines the errors of connecting, refreshing and revoking accounts.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  NOT_FOUND: { message: "There is no provider '{provider}'.", status: 404 },
  NOT_SET_UP: {
    message: "Accounts of '{provider}' cannot be connected here yet: the operator registers a client there and gives its id and secret to this control plane.",
    status: 409,
  },
  NOT_OPERATOR: { message: 'Only an owner of the organisation that runs this control plane may do this.', status: 403 },
  REDIRECT_FOREIGN: { message: 'Tokens go to a service on your own machine alone, and this address is none. Begin again from its page.', status: 400 },
  STATE_INVALID: { message: 'This connection is unknown, finished, older than 10 minutes, or belongs to another person. Begin again.', status: 403 },
  DECLINED: { message: 'The provider did not agree: {why}. Nothing was connected.', status: 403 },
  INVALID_GRANT: { message: "'{provider}' takes this token no longer. Connect the account again.", status: 400 },
  PROVIDER_UNREACHABLE: { message: "'{provider}' cannot be reached: {why}. Try again later.", status: 502 },
  PROVIDER_REFUSED: { message: "'{provider}' refused: {why}.", status: 502 },
  WRONG_USE: { message: '{why}', status: 400 },
} as const;

export type ConnectFault = keyof typeof errors;
export type MakeError = (reason: ConnectFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
