// Defines the manifest of integrations: name, services, events and settings.
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'integrations',
  requires: ['connectionStore', 'http'],
  optional: ['hubSite', 'controlPlane'],
  provides: ['providerTokens'],
  errors: {
    FORBIDDEN: { message: 'The account was not connected: {why}', status: 403 },
    NOT_FOUND: { message: "There is no {what} '{name}'.", status: 404 },
    NOT_SERVING: { message: 'The server does not listen on any address, so a sign-in cannot return to it.', status: 503 },
    DISABLED: { message: 'Accounts are connected through the hosted site, but the plugin for it is not loaded.', status: 503 },
    NEEDS_SIGN_IN: { message: "'{provider}' needs a sign-in: connect the account again ({why}).", status: 409 },
    UNREACHABLE: { message: "The token of '{provider}' could not be refreshed: {why} The account stays connected; try again later.", status: 503 },
  },
} as const satisfies PluginManifest;
