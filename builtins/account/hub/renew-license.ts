// Has the control plane renew the license, so that it does not run out for whoever can reach it.
import type { Logger } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import { fetchGuarded } from 'agent-harness/lib/guarded-fetch';
import { isLoopback } from 'agent-harness/lib/hosts';
import { recordIn } from 'agent-harness/lib/values';
import type { License } from 'agent-harness/plugins/licensing';
import type { HubSite } from './contract.ts';

export interface Renewal {
  readonly license: License;
  readonly hubSite: HubSite;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const timeoutMs = 15_000;
const answerLimit = 64 * 1024;

/** Leaves the license as it is where that does not work; one that was revoked is signed out. What went wrong goes to the log, without the token. */
export async function renewLicense({ license, hubSite, log, signal }: Renewal): Promise<void> {
  const token = await license.token();
  if (token === undefined) return;
  const answer = await ask(token, new URL(`${hubSite.controlPlane()}/api/license/renew`), signal);
  // Somebody signed out or in meanwhile: that counts.
  if ((await license.token()) !== token) return;
  if (answer.isRevoked) {
    log.warn('the license was revoked by the control plane, so this machine is signed out');
    await license.clear();
  } else if (answer.token === undefined) log.warn(`the license was not renewed: ${answer.why ?? 'the control plane gave none'}`);
  else await license.apply(answer.token, 'browser').catch((fault: unknown) => log.warn(`the license was not renewed: ${messageOf(fault)}`));
}

interface Answer {
  readonly token?: string;
  readonly isRevoked?: boolean;
  readonly why?: string;
}

async function ask(token: string, url: URL, signal: AbortSignal): Promise<Answer> {
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) return { why: `${url.origin} is on another machine and speaks no TLS` };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const request = { method: 'POST', headers, body: '{}', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) };
  try {
    const { status, bytes } = await fetchGuarded(url, request, { judge: () => undefined, limit: answerLimit });
    const body = recordIn(bytes.toString('utf8')) as { readonly token?: unknown; readonly error?: { readonly code?: unknown } | null };
    if (status === 401 && body.error?.code === 'token_revoked') return { isRevoked: true };
    if (status !== 200) return { why: `the control plane answered ${status}` };
    return typeof body.token === 'string' ? { token: body.token } : { why: 'the control plane answered without a token' };
  } catch (fault) {
    // What the other side says may hold the token.
    return { why: messageOf(fault).replaceAll(token, '…') };
  }
}
