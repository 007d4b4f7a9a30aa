// Defines the manifest of managed inference: name, services, events and settings.
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
      description: 'Root of an endpoint that speaks chat completions, such as https://openrouter.ai/api/v1; left empty, nothing is offered.',
      ...live,
    }),
    upstreamKey: Type.String({
      default: '',
      env: 'HUB_UPSTREAM_API_KEY',
      mustFit: true,
      normalize: normalizeKey,
      secret: true,
      title: 'Key of the model provider',
      description: 'Is sent to the provider alone.',
      ...live,
    }),
    holdMs: Type.Integer({
      default: 600_000,
      minimum: 500,
      maximum: 86_400_000,
      env: 'HUB_HOLD_MS',
      title: 'Life of a hold',
      description: 'Milliseconds without word of its call, after which credit that is held is given back, or the estimate is settled.',
      ...live,
    }),
    drainMs: Type.Integer({
      default: 60_000,
      minimum: 0,
      maximum: 3_600_000,
      env: 'HUB_DRAIN_MS',
      title: 'Reading on',
      description: 'Milliseconds for which the rest of an answer is read whose caller is gone, so that what it cost is known.',
      ...live,
    }),
    waitMs: Type.Integer({
      default: 20_000,
      minimum: 0,
      maximum: 600_000,
      env: 'HUB_CREDIT_WAIT_MS',
      title: 'Waiting for credit',
      description: 'Milliseconds that a call waits if other calls hold the rest of the wallet, before it is refused.',
      ...live,
    }),
    sessionMs: Type.Integer({
      default: 3_600_000,
      minimum: 1_000,
      maximum: 86_400_000,
      env: 'HUB_INFERENCE_SESSION_MS',
      title: 'Life of an inference session',
      description: 'Milliseconds after which a service has to ask for a new session.',
      ...live,
    }),
    usualMaxTokens: Type.Integer({
      default: 8_192,
      minimum: 1,
      maximum: 1_000_000,
      env: 'HUB_MAX_TOKENS',
      title: 'Longest answer',
      description: 'Tokens of an answer if the caller sets no limit.',
      ...live,
    }),
  }),
  errors: {
    BUDGET_EXCEEDED: {
      message: 'The credit does not pay for this call: {left} credits are left in {whose}, and it takes at least {needed}. {how}',
      status: 402,
    },
    MODEL_UNPRICED: {
      message: "'{model}' has no price here, so it is not offered. Choose one of GET /api/inference/v1/models, or have the operator add it with 'prices FILE'.",
      status: 422,
    },
    INVALID_REQUEST: { message: 'The request cannot be passed on: {why}', status: 400 },
    NOT_CONFIGURED: { message: 'This control plane has no model provider. Have the operator set HUB_UPSTREAM_BASE_URL.', status: 503 },
    UPSTREAM_UNREACHABLE: { message: 'The model provider gave no answer: {why}. Try again in a moment.', status: 502 },
    UPSTREAM_REFUSED: {
      message: 'The model provider does not serve this control plane (it answered {status}). Have the operator look at its key and its account.',
      status: 502,
    },
    NO_LICENSE: { message: 'A session for calls begins with the license of a service; a browser has none.', status: 403 },
    TOKEN_EXPIRED: { message: 'The inference session is over. Ask for a new one with POST /api/inference/session.', status: 401 },
    PRICES: { message: 'The prices cannot be read: {why}' },
    WRONG_USE: { message: '{why}', status: 400 },
  },
} as const satisfies PluginManifest;

export type MakeError = (reason: keyof (typeof manifest)['errors'], details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
