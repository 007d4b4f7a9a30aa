// Defines the errors of model calls, with advice for each.
import type { ErrorSpec } from 'agent-harness/kernel';
import type { ModelFaultKind } from './contract.ts';

export const errorTable = {
  RATE_LIMITED: {
    message: 'The model provider at {address} still limits requests after all retries: {why}. Wait, or choose another model or key.',
    status: 429,
  },
  PROVIDER_UNAVAILABLE: {
    message: 'The connection to the model provider at {address} failed: {why}. Check the network and AGENT_API_BASE_URL, then send the message again.',
    status: 502,
  },
  PROVIDER_SLOW: {
    message: "The model '{model}' at {host} is too slow: {why}. Increase that limit (0: no limit), or choose a smaller model.",
    status: 504,
  },
  PROVIDER_AUTH: {
    message: 'The model provider at {address} rejected the key: {why}. Set a valid {key} in the environment or in the .env file of the home folder.',
    status: 502,
  },
  PROVIDER_REFUSED: {
    message: "The model provider at {address} rejected the request for model '{model}': {why}. Check AGENT_MODEL and AGENT_API_BASE_URL.",
    status: 502,
  },
  CONTEXT_OVERFLOW: {
    message:
      "The request is longer than the model '{model}' of the provider at {address} accepts: {why}. Send less at once, begin a new chat, or choose a model with a larger context.",
    status: 413,
  },
  BAD_REPLY: { message: 'The model provider at {address} returned an invalid reply: {why}.', status: 502 },
  EMPTY_REPLY: {
    message:
      "The model '{model}' of the provider at {address} returned an empty reply: {why}. Send the message again, or choose another model with AGENT_MODEL.",
    status: 502,
  },
  BUDGET: {
    message: 'The account at {address} has no credit left: {why}. Add credit, or use the key of another account.',
    status: 402,
  },
  DAY_BUDGET: {
    message: "Today's model calls cost {spent} USD, and {source} allows {limit}{next}. Increase the limit, or continue after midnight ({resetsAt}).",
    status: 402,
  },
  CHAT_BUDGET: {
    message: 'The model calls of this chat cost {spent} USD, and {source} allows {limit}{next}. Increase the limit, or start a new chat.',
    status: 402,
  },
  PURPOSE_BUDGET: {
    message:
      "Today's model calls for '{cap}' cost {spent} USD, and {source} allows {limit}{next}. Increase the limit, or continue after midnight ({resetsAt}).",
    status: 402,
  },
  TIMED_OUT: { message: 'The model did not reply to the call for {purpose} within {ms} ms, so the call was abandoned.', status: 504 },
  NOT_OFFERED: {
    message:
      "Requests outside the conversation (speech, transcripts) are not offered over the model wire '{wire}'. Set AGENT_MODEL_WIRE and AGENT_API_BASE_URL to a provider that offers them.",
    status: 501,
  },
  NO_ADAPTER: {
    message:
      "No adapter for the model wire '{wire}' could be loaded. Set AGENT_API_KEY in the environment or in the .env file of the home folder, enable the plugin that provides that wire, or set AGENT_MODEL_WIRE.",
    status: 503,
  },
  TYPED_INVALID: { message: 'The entered {field} {why}', status: 400 },
  NOT_WAITING: { message: 'No turn of this chat is waiting to retry a request to the model provider.', status: 409 },
} as const satisfies Record<string, ErrorSpec>;

/** The error of each kind of fault. */
export const faultReasons: Readonly<Record<ModelFaultKind, keyof typeof errorTable>> = {
  rate_limit: 'RATE_LIMITED',
  transient: 'PROVIDER_UNAVAILABLE',
  timeout: 'PROVIDER_SLOW',
  auth: 'PROVIDER_AUTH',
  refused: 'PROVIDER_REFUSED',
  bad_reply: 'BAD_REPLY',
  empty: 'EMPTY_REPLY',
  budget: 'BUDGET',
  overflow: 'CONTEXT_OVERFLOW',
};
