// Sends one JSON request to the control plane without the service `controlPlane`: while signed out, or with the license that the request concerns.
import { messageOf } from '#lib/errors';
import { fetchGuarded } from '#lib/guarded-fetch';
import { textStart } from '#lib/text';
import { isRecord, recordIn } from '#lib/values';
import { whyNotTo } from './plane-address.ts';

export interface PlanePost {
  /** Address of the control plane, without a trailing slash. */
  readonly plane: string;
  readonly path: `/${string}`;
  readonly body?: object;
  /** License sent with the request and removed from the response. */
  readonly token?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

export interface PlaneAnswer {
  /** Omitted if no response arrived. */
  readonly status?: number;
  /** Fields of the response; empty if the response is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Error code of the response. */
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Reason for the failure, for users; omitted for status 200. */
  readonly why?: string;
}

/** Default timeout in milliseconds. */
const defaultMs = 15_000;
/** Maximum size of a response in bytes. */
const answerLimit = 64 * 1024;

/** Sends the request. Never rejects; an aborted request resolves with its reason. */
export async function postToPlane({ plane, path, body = {}, token, signal, timeoutMs = defaultMs }: PlanePost): Promise<PlaneAnswer> {
  const scrub = (text: string): string => (token === undefined ? text : text.replaceAll(token, '…'));
  const url = new URL(plane + path);
  // Checks the address first, because the request or the response contains a license.
  const why = whyNotTo(url);
  if (why !== undefined) return { body: {}, why };
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { status, bytes } = await fetchGuarded(
      url,
      { method: 'POST', headers, body: JSON.stringify(body), signal: either },
      { judge: () => undefined, limit: answerLimit },
    );
    const fields = recordIn(bytes.toString('utf8'));
    if (status === 200) return { status, body: fields };
    const { code, message, details } = isRecord(fields['error']) ? fields['error'] : {};
    const detail = typeof message === 'string' && message !== '' ? `: ${textStart(scrub(message), 1_000)}` : '';
    return {
      status,
      body: fields,
      ...(typeof code === 'string' ? { code } : {}),
      ...(isRecord(details) ? { details } : {}),
      why: `the control plane responded with status ${status}${detail}`,
    };
  } catch (fault) {
    return { body: {}, why: scrub(messageOf(fault)) };
  }
}
