// Checks whether the control plane is reachable at its public address with a valid certificate.
import { connect } from 'node:tls';
import { codeOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import type { CheckResult } from './contract.ts';

const longestMs = 3_000;
/** Days of validity below which an expiring certificate is reported. */
const leastDays = 14;
const dayMs = 86_400_000;

/** @param url value of HUB_PUBLIC_URL; empty if not set */
export async function checkPublicAddress(url: string): Promise<CheckResult> {
  if (url === '') return { state: 'fine', message: 'HUB_PUBLIC_URL is not set: the plane is for this machine.' };
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return { state: 'failed', message: `HUB_PUBLIC_URL is no address: set one like https://hub.example.org.` };
  }
  const { protocol, hostname, port, host } = new URL(url);
  if (protocol === 'http:') {
    if (isLoopback(hostname)) return { state: 'fine', message: `${host} is this machine.` };
    return { state: 'warning', message: `HUB_PUBLIC_URL is http, so tokens and passwords cross the network readable. Put a proxy with TLS before it.` };
  }
  try {
    const days = await daysOfCertificate(hostname, port === '' ? 443 : Number(port));
    if (days >= leastDays) return { state: 'fine', message: `The certificate of ${host} is trusted for ${days} more days.` };
    return { state: 'warning', message: `The certificate of ${host} ends in ${days} days. Renew it.` };
  } catch (fault) {
    const why = codeOf(fault) ?? 'no answer';
    return {
      state: 'warning',
      message: `From here, ${host} cannot be reached by TLS (${why}). Services would refuse it, too, unless only this machine cannot.`,
    };
  }
}

/** Returns the remaining days of a valid certificate of the host. */
function daysOfCertificate(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: longestMs });
    socket.once('secureConnect', () => {
      resolve(Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
  });
}
