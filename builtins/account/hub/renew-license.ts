// Renews the license through the control plane before it expires.
import type { Logger } from 'agent-harness/kernel';
import { sentencesOf } from '#lib/errors';
import type { License } from 'agent-harness/plugins/licensing';
import type { HubSite } from './contract.ts';
import { postToPlane } from './post-to-plane.ts';

export interface Renewal {
  readonly license: License;
  readonly hubSite: HubSite;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Renews a license. Keeps it if the renewal fails; signs out if the license was revoked. Logs errors without the token. */
export async function renewLicense({ license, hubSite, log, signal }: Renewal): Promise<void> {
  const token = await license.token();
  if (token === undefined) return;
  const { status, code, body, why } = await postToPlane({ plane: hubSite.controlPlane(), path: '/api/license/renew', token, signal });
  // If the user signed out or in during the renewal, the newer state applies.
  if ((await license.token()) !== token) return;
  const fresh = body['token'];
  if (status === 401 && code === 'token_revoked') {
    log.warn('the license was revoked by the control plane, so this machine is signed out');
    await license.clear();
  } else if (status !== 200) log.warn(`the license was not renewed: ${why ?? 'no response'}`);
  else if (typeof fresh !== 'string') log.warn('the license was not renewed: the response of the control plane contains no token');
  else await license.apply(fresh, 'browser').catch((fault: unknown) => log.warn(`the license was not renewed: ${sentencesOf(fault)}`));
}
