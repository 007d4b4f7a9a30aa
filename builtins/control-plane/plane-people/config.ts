// Defines the settings for accounts on a control plane: sign-up, attempt limits and mail.
import * as Type from 'typebox';

export const config = Type.Object({
  signUp: Type.Union([Type.Literal('open'), Type.Literal('invite')], {
    default: 'invite',
    env: 'HUB_SIGN_UP',
    title: 'Sign-up',
    description: 'Who may create an account. `open`: any person may create an account and an organisation. `invite`: people join by invitation only.',
    apply: 'restart',
  }),
  attemptsPerMinute: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    env: 'HUB_ATTEMPTS_PER_MINUTE',
    title: 'Attempts per minute',
    description:
      'Maximum number of sign-in attempts per minute for a client address and for an account, across all nodes. The limit for wrong licenses from an address is 30 times higher.',
    apply: 'restart',
  }),
  smtpUrl: Type.String({
    default: '',
    env: 'SMTP_URL',
    secret: true,
    title: 'Mail server',
    description:
      'Address of the mail server that sends invitations and password links: `smtp://user:password@host:587?from=hub@example.org`, or `smtps://…`. If empty, nothing is sent, and people must pass on the links themselves.',
    apply: 'restart',
  }),
});
