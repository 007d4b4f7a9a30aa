// Defines the errors of service licenses.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  TOKEN_EXPIRED: { message: 'The license has expired. Renew it with POST /api/license/renew, or sign in again.', status: 401 },
  TOKEN_REVOKED: { message: 'The license was revoked by a sign-out or a removal from the organisation. Sign in again.', status: 401 },
  TOKEN_INVALID: { message: 'This is not a license of this control plane. Sign in again.', status: 401 },
  SEATS: { message: "All {seats} seats of '{org}' are in use. Remove a member, or ask the operator to add seats.", status: 409 },
  BEYOND_PLAN: { message: "'{org}' has the plan '{plan}', which does not allow a license of tier '{tier}'. Raise the plan first.", status: 409 },
  NOT_MEMBER: { message: 'A license requires a membership in the organisation, which this person does not have.', status: 409 },
  NOT_FOUND: { message: 'The license or the person was not found.', status: 404 },
  WRONG_USE: { message: '{why}', status: 400 },
} as const;

export type LicenseFault = keyof typeof errors;
export type MakeError = (reason: LicenseFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
