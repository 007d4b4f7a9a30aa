// Defines the settings of people: sign-up, attempt limits and mail.
import * as Type from 'typebox';

export const config = Type.Object({
  signUp: Type.Union([Type.Literal('open'), Type.Literal('invite')], {
    default: 'invite',
    env: 'HUB_SIGN_UP',
    title: 'Sign-up',
    description: '`open`: any person may create an account and an organisation. `invite`: people join by invitation only.',
    apply: 'restart',
  }),
  attemptsPerMinute: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    env: 'HUB_ATTEMPTS_PER_MINUTE',
    title: 'Attempts a minute',
    description:
      'How often an address, and an account, may try to sign in in a minute, over all nodes; for wrong licenses of an address it is thirty times that.',
    apply: 'restart',
  }),
  smtpUrl: Type.String({
    default: '',
    env: 'SMTP_URL',
    secret: true,
    title: 'Mail server',
    description:
      'As `smtp://user:password@host:587?from=hub@example.org`, or smtps: sends invitations and links for new passwords. Left empty, people pass the links on themselves.',
    apply: 'restart',
  }),
});
