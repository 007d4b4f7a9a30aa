// Defines the errors of accounts, sessions, organisations and invitations on a control plane.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  FORBIDDEN: { message: 'You do not have this right in any organisation. Ask an admin of an organisation for an invitation.', status: 403 },
  SIGNED_OUT: { message: 'You are not signed in. Sign in and try again.', status: 401 },
  SESSION_NEEDED: {
    message: 'This requires a browser session: sign in to the control plane in a browser. Licenses and service tokens are not accepted.',
    status: 403,
  },
  SESSION_BOUND: { message: 'You signed in through the single sign-on of one organisation. Sign in with your password to do this.', status: 403 },
  EMAIL_INVALID: { message: 'The e-mail address is not valid. Enter an address such as ann@example.org.', status: 400 },
  EMAIL_TAKEN: { message: 'An account with this e-mail address already exists. Sign in instead.', status: 409 },
  PASSWORD_WEAK: { message: 'The password must have 8 to 200 characters.', status: 400 },
  PASSWORD_WRONG: { message: 'The password is wrong. Enter the password of this account.', status: 403 },
  SIGN_IN_WRONG: { message: 'The e-mail address or the password is wrong.', status: 401 },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts. Try again in {retryAfter} seconds.', status: 429 },
  BUSY: { message: 'Too many people are signing in at the moment. Try again in {retryAfter} seconds.', status: 503 },
  SEATS_TAKEN: { message: 'The organisation needs more than its {seats} seats. Remove a member first, or ask the operator for more seats.', status: 409 },
  LAST_OWNER: { message: 'An organisation needs an owner. Make another member an owner first.', status: 409 },
  SIGN_UP_CLOSED: { message: 'Sign-up requires an invitation on this control plane. Ask an admin of your organisation for one.', status: 403 },
  SET_UP_DONE: { message: 'This control plane already has an owner. Sign in, or ask the owner for an invitation.', status: 409 },
  MAIL: { message: 'The mail server in SMTP_URL did not accept the message. Check SMTP_URL and the log of the mail server.', status: 502 },
  LINK_INVALID: { message: 'This link is wrong, was already used, or has expired. Request a new one.', status: 403 },
  INVITE_FOR_OTHER: { message: 'This invitation is not for {email}. Sign in with the invited e-mail address.', status: 403 },
  OWNER_NEEDED: { message: 'Only an owner can add, change or remove owners.', status: 403 },
  OPERATOR_NEEDED: { message: 'Only owners of the organisation that operates this control plane can do this.', status: 403 },
  NOT_FOUND: { message: 'The {what} was not found.', status: 404 },
} as const;

export type PeopleFault = keyof typeof errors;
export type MakeError = (reason: PeopleFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
