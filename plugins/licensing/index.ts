// Registers licensing: determines the tier of this installation and the entitlements of that tier.
import * as Type from 'typebox';
import { normalizeKey } from '#lib/setting-texts';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { WireEvent } from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/storage';
import { systemClock } from './clock.ts';
import { createLicenseFiles } from './license-files.ts';
import { createLicenseTracker } from './license-tracker.ts';

/** The public key of the hosted service. For a self-hosted control plane, AGENT_LICENSE_PUBLIC_KEY replaces it. */
const builtInPublicKey = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEABlji63O8S2GWnTvkAmTj0ZDLlb8q0h6XIpshsCRE8IA=
-----END PUBLIC KEY-----
`;

/** The event that clients receive when the tier or the entitlements change. */
const accountChanged: WireEvent = {
  name: 'account_changed',
  description: 'The user signed in or out, or the state of the license changed.',
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
      description: 'License token for machines without an interactive sign-in, such as CI.',
      apply: 'live',
    }),
    preferEnv: Type.Boolean({
      default: false,
      env: 'AGENT_LICENSE_PREFER_ENV',
      tab: 'harness',
      title: 'Prefer the license of the environment',
      description: 'Uses AGENT_LICENSE_KEY even if a user is signed in.',
      apply: 'live',
    }),
    publicKey: Type.String({
      default: builtInPublicKey,
      env: 'AGENT_LICENSE_PUBLIC_KEY',
      title: 'Public key for licenses',
      description:
        'Ed25519 public key in PEM form that verifies licenses. On one line, write \\n for the line breaks. Required for a self-hosted control plane.',
      apply: 'live',
    }),
    graceDays: Type.Number({
      default: 14,
      minimum: 0,
      maximum: 36_500,
      env: 'AGENT_LICENSE_GRACE_DAYS',
      title: 'Grace period in days',
      description: 'Number of days that the features of a license stay available after it has expired.',
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
