// Registers licensing: determines the tier of this installation and the entitlements of that tier.
import * as Type from 'typebox';
import { normalizeKey } from '#lib/setting-texts';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { WireEvent } from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/storage';
import { systemClock } from './clock.ts';
import { createLicenseFiles } from './license-files.ts';
import { createLicenseTracker } from './license-tracker.ts';

/** The public key of the hosted service; self-hosted services set AGENT_LICENSE_PUBLIC_KEY. */
const builtInPublicKey = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEABlji63O8S2GWnTvkAmTj0ZDLlb8q0h6XIpshsCRE8IA=
-----END PUBLIC KEY-----
`;

/** The event about tier and entitlements that clients receive. */
const accountChanged: WireEvent = {
  name: 'account_changed',
  description: 'A user signed in or out, or the license changed its state.',
  permission: 'owner',
  schema: Type.Object({ tier: Type.String(), status: Type.String(), entitlements: Type.Array(Type.String()) }, { additionalProperties: false }),
  keep: 'live',
};

export const manifest = {
  name: 'licensing',
  requires: ['storage', 'product'],
  provides: ['entitlements', 'license'],
  events: ['account_changed'],
  config: Type.Object({
    licenseKey: Type.String({
      default: '',
      env: 'AGENT_LICENSE_KEY',
      normalize: normalizeKey,
      secret: true,
      title: 'License token',
      description: 'A license token for machines without a sign-in, such as CI.',
      apply: 'live',
    }),
    preferEnv: Type.Boolean({
      default: false,
      env: 'AGENT_LICENSE_PREFER_ENV',
      tab: 'harness',
      title: 'Prefer the license of the environment',
      description: 'Uses AGENT_LICENSE_KEY even if an account is signed in.',
      apply: 'live',
    }),
    publicKey: Type.String({
      default: builtInPublicKey,
      env: 'AGENT_LICENSE_PUBLIC_KEY',
      title: 'Public key for licenses',
      description:
        'Ed25519 public key in PEM form that licenses are checked against, with \\n for the line breaks if it is on one line; needed with a control plane of your own.',
      apply: 'live',
    }),
    graceDays: Type.Number({
      default: 14,
      minimum: 0,
      maximum: 36_500,
      env: 'AGENT_LICENSE_GRACE_DAYS',
      title: 'Days of grace',
      description: 'How many days the features of a license stay on after it has run out.',
      apply: 'live',
    }),
  }),
  errors: { TOKEN_INVALID: { message: 'License token is not valid', status: 400 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const tracker = createLicenseTracker({
    settings: registry.config,
    files: createLicenseFiles(registry.services),
    clock: systemClock,
    readToken: async (token, publicKey) => (await import('./license-token.ts')).readLicenseToken(token, publicKey),
    readDocument: async (kind, document, publicKey) => (await import('./license-token.ts')).readSignedDocument(kind, document, publicKey),
    tokenInvalid: (details) => registry.error('TOKEN_INVALID', details),
    onChange: ({ tier, status, entitlements }) => emitter.emit('account_changed', { tier, status, entitlements }),
    warn: (message) => registry.log.warn(message),
  });

  registry.provide('license', () => tracker.license);
  registry.provide('entitlements', () => {
    tracker.start();
    return tracker.entitlements;
  });
  registry.add('wire_event', accountChanged);
  emitter.on('settings_changed', ({ keys }) => {
    if (keys.some((key) => key.startsWith('AGENT_LICENSE_'))) tracker.restart();
  });
  registry.defer(() => tracker.close(), 'license');
}
