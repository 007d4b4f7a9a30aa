// Converts a provider's refusal into an error that names the setting to change.
import { codeOf, messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { MakeError } from './errors.ts';

/** A request that the provider refused because of its content. */
export interface Refusal {
  readonly fault: unknown;
  readonly status: number | undefined;
  readonly why: string;
  /** Whether the address does not exist. */
  readonly isMissing: boolean;
}

const aboutModel =
  /\bmodels?\b[^.]*\b(?:not found|not exist|unknown|invalid|not valid|unsupported|not supported|unavailable|not available|no longer|deprecat|retired|removed)|\b(?:deprecat\w*|retired|decommissioned|sunset)\b|no endpoints found|\b(?:unknown|invalid|no such|unsupported) model/i;

/** Returns the refusal; `undefined` for any other error. */
export function refusalOf(fault: unknown): Refusal | undefined {
  if (codeOf(fault) !== 'MODELS_ERR_PROVIDER_REFUSED') return undefined;
  const details = detailsOf(fault);
  const status = typeof details['status'] === 'number' ? details['status'] : undefined;
  const why = typeof details['why'] === 'string' ? details['why'] : messageOf(fault);
  const isMissing = (status === 404 || status === 405 || status === 501) && !/model|endpoints found/i.test(why);
  return { fault, status, why, isMissing };
}

export interface Asked {
  readonly host: string;
  readonly model: string;
  /** Variable of the provider's key. */
  readonly key: 'AGENT_TRANSCRIBE_API_KEY' | 'AGENT_API_KEY';
}

/** Returns an error that names the setting, or the original error if its message is equally helpful. */
export function explain(fault: unknown, { host, model, key }: Asked, makeError: MakeError): unknown {
  const { why: told } = detailsOf(fault);
  const why = typeof told === 'string' ? told : messageOf(fault);
  if (codeOf(fault) === 'MODELS_ERR_PROVIDER_AUTH') return makeError('KEY_REFUSED', { host, why, variable: key }, fault);
  const refusal = refusalOf(fault);
  if (!refusal) return fault;
  const { status, isMissing } = refusal;
  if (isMissing) return makeError('NO_ROUTES', { host, why }, fault);
  if (status === 404 || status === 410 || aboutModel.test(why)) {
    const variable = key === 'AGENT_TRANSCRIBE_API_KEY' ? 'AGENT_TRANSCRIBE_MODEL' : 'AGENT_TTS_MODEL';
    return makeError('MODEL_GONE', { host, model, why, variable, offered: '' }, fault);
  }
  return makeError(key === 'AGENT_API_KEY' ? 'TEXT_REFUSED' : 'CLIP_REFUSED', { host, why }, fault);
}

function detailsOf(fault: unknown): Readonly<Record<string, unknown>> {
  return isRecord(fault) && isRecord(fault['details']) ? fault['details'] : {};
}
