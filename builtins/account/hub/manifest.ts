// Defines the manifest of hub: name, services, events and settings.
import * as Type from 'typebox';
import { normalizeSite } from '#lib/setting-texts';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'hub',
  requires: ['license', 'http', 'kernel'],
  optional: ['settings', 'turns'],
  provides: ['hubSite', 'controlPlane'],
  config: Type.Object({
    siteUrl: Type.String({
      default: 'https://hub.example.invalid',
      format: 'uri',
      pattern: '^https?://[^/\\s@]+(/\\S*)?$',
      env: 'AGENT_HUB_SITE_URL',
      mustFit: true,
      normalize: normalizeSite,
      words: 'sign in login self hosted server',
      tab: 'harness',
      title: 'Account site',
      description: 'Address of the site where people sign in; the default is a placeholder, so set it to your own hosted site or control plane.',
      apply: 'live',
    }),
    controlPlaneUrl: Type.String({
      default: '',
      format: 'uri',
      pattern: '^https?://[^/\\s@]+(/\\S*)?$',
      env: 'AGENT_CONTROL_PLANE_URL',
      mustFit: true,
      normalize: normalizeSite,
      words: 'team server self hosted enterprise',
      tab: 'harness',
      title: 'Control plane',
      description: 'Address of the control plane that account and team functions ask; left empty, the account site.',
      apply: 'live',
    }),
  }),
  errors: {
    FORBIDDEN: { message: 'Signing in was refused: {why}', status: 403 },
    TURN_IN_PROGRESS: { message: 'A turn is running; wait for its end or stop it, then reconnect.', status: 409 },
    NOT_SERVING: { message: 'The server does not listen, so no sign-in can come back to it.', status: 503 },
    NOT_MANAGED: {
      message:
        "Only managed inference may answer here, and it cannot: {why} Sign in with an account that includes it, or set the inference mode in the settings to 'auto' or 'byok', so that a key of your own answers.",
      status: 403,
    },
    SIGNED_OUT: { message: 'No account is signed in, so the control plane cannot be reached. Sign in on the account page, or with `app login`.', status: 403 },
    PLANE_UNREACHABLE: { message: 'The control plane cannot be reached: {why}', status: 503 },
    PLANE_REFUSED: { message: 'The control plane refused that: {message}', status: 502 },
  },
} as const satisfies PluginManifest;
