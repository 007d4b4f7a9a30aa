// Defines the manifest of hub: name, services, settings and errors.
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
      description: 'Address of the control plane for account and team features; default: the account site.',
      apply: 'live',
    }),
  }),
  errors: {
    FORBIDDEN: { message: 'The sign-in was refused: {why}', status: 403 },
    TURN_IN_PROGRESS: { message: 'A turn is running. Wait until it ends or stop it, then reconnect.', status: 409 },
    NOT_SERVING: { message: 'The server does not listen on an address, so a sign-in cannot return to it.', status: 503 },
    NOT_MANAGED: {
      message:
        "Only managed inference is allowed, but it is not available: {why} Sign in with an account that includes it, or set the inference mode in the settings to 'auto' or 'byok' to use your own key.",
      status: 403,
    },
    SIGNED_OUT: { message: 'No account is signed in, so the control plane cannot be reached. Sign in on the account page, or with `app login`.', status: 403 },
    PLANE_UNREACHABLE: { message: 'The control plane cannot be reached: {why}', status: 503 },
    PLANE_REFUSED: { message: 'The control plane refused the request: {message}', status: 502 },
  },
} as const satisfies PluginManifest;
