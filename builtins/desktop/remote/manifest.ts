// Defines the manifest of remote: name, services, events and settings.
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
      title: 'Life of a code for guests',
      description: 'How long a code of /remote lets guests in, and those who came with it stay, in milliseconds.',
      apply: 'live',
    }),
    bindHost: Type.String({
      default: '0.0.0.0',
      env: 'APP_REMOTE_BIND_HOST',
      title: 'Address for guests',
      description: 'The address at which guests of the local network come in while a code lives; off, false or 0 switch that way off.',
      apply: 'live',
    }),
  }),
  errors: {
    CODE_WRONG: { message: 'This code is wrong, was used, or has run out; ask for a new one.', status: 403 },
    CODE_NOT_FOUND: { message: "There is no code '{code}' that is in force.", status: 404 },
    GUEST_NOT_FOUND: { message: "There is no guest '{guestId}'.", status: 404 },
    GUEST_ACTED: { message: 'A guest has just used this window, so this does not count. Wait two seconds and do it yourself.', status: 403 },
    TOO_MANY_GUESTS: { message: 'There are {most} guests already.', status: 409 },
    PAGE_NOT_BUILT: { message: "The page of guests is not built. Run 'npm run build' in the folder of the package, then load it again.", status: 503 },
    PAGE_NOT_FOUND: { message: "The page of guests has no file '{name}'.", status: 404 },
    UNAVAILABLE: { message: 'There can be no remote session now. {why}', status: 409 },
  },
} as const satisfies PluginManifest;
