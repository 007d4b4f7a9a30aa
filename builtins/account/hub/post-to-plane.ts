// One JSON request to the control plane beside the service `controlPlane`: while nobody is signed in, or with the very license that it is about.
import { messageOf } from 'agent-harness/lib/errors';
import { fetchGuarded } from 'agent-harness/lib/guarded-fetch';
import { textStart } from 'agent-harness/lib/text';
import { isRecord, recordIn } from 'agent-harness/lib/values';
import { whyNotTo } from './plane-address.ts';

export interface PlanePost {
  /** Address of the control plane, without a trailing slash. */
  readonly plane: string;
  readonly path: `/${string}`;
  readonly body?: object;
  /** Sent along, and taken out of whatever comes back. */
  readonly token?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

export interface PlaneAnswer {
  /** Left out where there was no answer. */
  readonly status?: number;
  /** Its fields; none where it was no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Of an error. */
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Why it did not work, for people; left out of a 200. */
  readonly why?: string;
}

const defaultMs = 15_000;
const answerLimit = 64 * 1024;

/** Rejects with nothing; an aborted one answers that it was. */
export async function postToPlane({ plane, path, body = {}, token, signal, timeoutMs = defaultMs }: PlanePost): Promise<PlaneAnswer> {
  const scrub = (text: string): string => (token === undefined ? text : text.replaceAll(token, '…'));
  const url = new URL(plane + path);
  // A license goes along, or comes back.
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
    const said = typeof message === 'string' && message !== '' ? `: ${textStart(scrub(message), 1_000)}` : '';
    return {
      status,
      body: fields,
      ...(typeof code === 'string' ? { code } : {}),
      ...(isRecord(details) ? { details } : {}),
      why: `the control plane answered ${status}${said}`,
    };
  } catch (fault) {
    return { body: {}, why: scrub(messageOf(fault)) };
  }
}
