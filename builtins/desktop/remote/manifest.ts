// Defines the manifest of the plugin `remote`: name, services, events and settings.
import * as Type from 'typebox';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'remote',
  requires: ['http', 'product', 'storage'],
  optional: ['desktopWindow'],
  provides: ['remoteSessions'],
  events: ['remote_session'],
  config: Type.Object({
    lifeMs: Type.Integer({
      default: 14_400_000,
      minimum: 1,
      maximum: 604_800_000,
      env: 'APP_REMOTE_TTL_MS',
      title: 'Lifetime of viewer codes (ms)',
      description: 'Time in milliseconds for which a /remote code admits viewers and admitted viewers stay connected.',
      apply: 'live',
    }),
    bindHost: Type.String({
      default: '0.0.0.0',
      env: 'APP_REMOTE_BIND_HOST',
      title: 'Address for viewers',
      description: 'Address at which viewers in the local network connect while a code is valid. off, false or 0 disables the local network.',
      apply: 'live',
    }),
  }),
  errors: {
    CODE_WRONG: { message: 'This code is wrong, was used, or has expired. Ask for a new one.', status: 403 },
    CODE_NOT_FOUND: { message: "There is no valid code '{code}'.", status: 404 },
    GUEST_NOT_FOUND: { message: "There is no viewer '{guestId}'.", status: 404 },
    GUEST_ACTED: { message: 'A viewer has just used this window, so the request was refused. Wait two seconds and repeat it yourself.', status: 403 },
    TOO_MANY_GUESTS: { message: 'The limit of {most} viewers is reached. End one of their sessions first.', status: 409 },
    PAGE_NOT_BUILT: { message: "The viewer page is not built. Run 'npm run build' in the folder of the package, then reload the page.", status: 503 },
    PAGE_NOT_FOUND: { message: "The viewer page has no file '{name}'.", status: 404 },
    UNAVAILABLE: { message: 'A remote session is not possible now. {why}', status: 409 },
  },
} as const satisfies PluginManifest;
