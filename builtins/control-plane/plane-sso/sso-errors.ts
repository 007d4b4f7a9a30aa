// Defines the errors of single sign-on.
import type { KernelError } from 'agent-harness/kernel';

export const errors = {
  NOT_SET_UP: { message: 'Single sign-on is not set up for this organisation or e-mail domain. Sign in with your password.', status: 404 },
  NOT_FOUND: { message: 'The organisation was not found.', status: 404 },
  ISSUER_INVALID: { message: 'The issuer must be the https address that the identity provider specifies, without user name, query or fragment.', status: 400 },
  ADDRESS_REFUSED: {
    message:
      'The identity provider, or an address in its configuration, is in a private network. Only the organisation that operates this control plane can use such an address.',
    status: 403,
  },
  DOMAIN_INVALID: { message: "'{domain}' is not a valid e-mail domain. Enter a domain such as example.org.", status: 400 },
  DOMAIN_TAKEN: { message: "'{domain}' is already verified for another organisation.", status: 409 },
  DOMAIN_UNKNOWN: { message: "The single sign-on settings of the organisation do not contain the domain '{domain}'. Add it there first.", status: 404 },
  STATE_INVALID: { message: 'This sign-in was started in another browser, was already used, or took too long. Start again.', status: 403 },
  PROVIDER_UNREACHABLE: { message: 'The identity provider cannot be reached or is not working. Try again later.', status: 502 },
  PROVIDER_REFUSED: { message: 'The identity provider did not confirm your identity: {why}', status: 403 },
  LINK_NEEDED: {
    message: 'An account with this e-mail address already exists. Sign in with its password, then connect single sign-on under "Your account".',
    status: 409,
  },
  LINK_TAKEN: {
    message:
      'Your identity at the provider is connected to another account on this control plane. Sign out at the provider, sign in there with your own identity, and start again.',
    status: 409,
  },
  NOT_LINKED: { message: 'Single sign-on of this organisation is not connected to your account.', status: 404 },
  NOT_INVITED: { message: 'You are not a member of this organisation. Ask an admin of the organisation for an invitation.', status: 403 },
} as const;

export type SsoFault = keyof typeof errors;
export type MakeError = (reason: SsoFault, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
