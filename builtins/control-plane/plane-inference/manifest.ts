// Defines the manifest of managed inference: name, services, settings and errors.
import * as Type from 'typebox';
import { normalizeBaseUrl, normalizeKey } from '#lib/setting-texts';
import type { KernelError, PluginManifest } from 'agent-harness/kernel';

const live = { apply: 'live' } as const;

export const manifest = {
  name: 'plane-inference',
  requires: ['database', 'http', 'people', 'planeLicenses', 'planeSite', 'product', 'storage'],
  optional: ['audit'],
  provides: ['wallets'],
  config: Type.Object({
    upstreamUrl: Type.String({
      default: '',
      pattern: '^(https?://[^/\\s@]+(/\\S*)?)?$',
      env: 'HUB_UPSTREAM_BASE_URL',
      mustFit: true,
      normalize: normalizeBaseUrl,
      title: 'Model provider',
      description: 'Root address of a chat completions endpoint, such as https://openrouter.ai/api/v1. If empty, no models are offered.',
      ...live,
    }),
    upstreamKey: Type.String({
      default: '',
      env: 'HUB_UPSTREAM_API_KEY',
      mustFit: true,
      normalize: normalizeKey,
      secret: true,
      title: 'API key of the model provider',
      description: 'Sent to the model provider only.',
      ...live,
    }),
    holdMs: Type.Integer({
      default: 600_000,
      minimum: 500,
      maximum: 86_400_000,
      env: 'HUB_HOLD_MS',
      title: 'Hold timeout',
      description: 'Time in milliseconds without an update of a call, after which its reserved credit is released or its estimated cost is settled.',
      ...live,
    }),
    drainMs: Type.Integer({
      default: 60_000,
      minimum: 0,
      maximum: 3_600_000,
      env: 'HUB_DRAIN_MS',
      title: 'Reading after a disconnection',
      description: 'Time in milliseconds for which a response is still read after its caller disconnected, to measure its cost.',
      ...live,
    }),
    waitMs: Type.Integer({
      default: 20_000,
      minimum: 0,
      maximum: 600_000,
      env: 'HUB_CREDIT_WAIT_MS',
      title: 'Credit wait',
      description: 'Time in milliseconds that a call waits for credit reserved by other calls, before it is refused.',
      ...live,
    }),
    sessionMs: Type.Integer({
      default: 3_600_000,
      minimum: 1_000,
      maximum: 86_400_000,
      env: 'HUB_INFERENCE_SESSION_MS',
      title: 'Inference session lifetime',
      description: 'Time in milliseconds after which a service must request a new session.',
      ...live,
    }),
    usualMaxTokens: Type.Integer({
      default: 8_192,
      minimum: 1,
      maximum: 1_000_000,
      env: 'HUB_MAX_TOKENS',
      title: 'Output limit',
      description: 'Maximum output tokens of a call if the caller sets no limit.',
      ...live,
    }),
  }),
  errors: {
    BUDGET_EXCEEDED: {
      message: 'There is not enough credit for this call: {left} credits are left in {whose}, and at least {needed} are needed. {how}',
      status: 402,
    },
    MODEL_UNPRICED: {
      message:
        "The model '{model}' has no price on this control plane, so it is not offered. Choose a model from GET /api/inference/v1/models, or ask the operator to add a price with 'prices FILE'.",
      status: 422,
    },
    INVALID_REQUEST: { message: 'The request is not valid: {why}', status: 400 },
    NOT_CONFIGURED: { message: 'This control plane has no model provider. Ask the operator to set HUB_UPSTREAM_BASE_URL.', status: 503 },
    UPSTREAM_UNREACHABLE: { message: 'The model provider did not respond: {why}. Try again in a moment.', status: 502 },
    UPSTREAM_REFUSED: {
      message: 'The model provider refused this control plane with status {status}. Ask the operator to check the API key and the account at the provider.',
      status: 502,
    },
    NO_LICENSE: { message: 'An inference session requires the license of a service, which a browser does not have.', status: 403 },
    TOKEN_EXPIRED: { message: 'The inference session has expired. Request a new one with POST /api/inference/session.', status: 401 },
    PRICES: { message: 'The prices cannot be read: {why}' },
    WRONG_USE: { message: '{why}', status: 400 },
  },
} as const satisfies PluginManifest;

export type MakeError = (reason: keyof (typeof manifest)['errors'], details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
