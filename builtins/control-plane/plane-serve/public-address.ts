// Checks whether the control plane is reachable at its public address with a valid certificate.
import { countWithNoun } from '#lib/text';
import { connect } from 'node:tls';
import { codeOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import type { CheckResult } from './contract.ts';

/** Timeout of the TLS check in milliseconds. */
const timeoutMs = 3_000;
/** Days of validity below which an expiring certificate is reported. */
const leastDays = 14;
const dayMs = 86_400_000;

/** Runs the check. @param url value of HUB_PUBLIC_URL; empty if not set */
export async function checkPublicAddress(url: string): Promise<CheckResult> {
  if (url === '') return { state: 'fine', message: 'HUB_PUBLIC_URL is not set, so the control plane serves this machine only.' };
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return { state: 'failed', message: `HUB_PUBLIC_URL is not a valid address. Set one such as https://hub.example.org.` };
  }
  const { protocol, hostname, port, host } = new URL(url);
  if (protocol === 'http:') {
    if (isLoopback(hostname)) return { state: 'fine', message: `${host} is this machine.` };
    return { state: 'warning', message: `HUB_PUBLIC_URL uses http, so tokens and passwords are sent unencrypted. Use a TLS proxy and an https address.` };
  }
  try {
    const days = await daysOfCertificate(hostname, port === '' ? 443 : Number(port));
    if (days >= leastDays) return { state: 'fine', message: `The certificate of ${host} is valid for ${days} more days.` };
    return { state: 'warning', message: `The certificate of ${host} expires in ${countWithNoun(days, 'day')}. Renew it.` };
  } catch (fault) {
    const why = codeOf(fault) ?? 'no response';
    return {
      state: 'warning',
      message: `${host} cannot be reached through TLS from this machine (${why}). Check the address, the proxy and its certificate, unless only this machine is affected.`,
    };
  }
}

/** Returns the remaining days of validity of the host's certificate. */
function daysOfCertificate(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: timeoutMs });
    socket.once('secureConnect', () => {
      resolve(Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
  });
}
