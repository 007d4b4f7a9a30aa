// Connects a page that was opened on a control plane to its server: an encrypted link to the paired computer.
import { deviceName } from '#lib/device-name';
import { secretIn } from '#lib/sealed-link';
import { versionTexts } from '#lib/tunnel-guest';
import { isRecord, jsonOf } from '#lib/values';
import { fetchOver } from './fetch-over.ts';
import { openPhoneLink, type LinkState } from './phone-link.ts';
import { createLinkNotice, type LinkNotice } from './link-notice.ts';

/** The interface through which the page of the web UI reaches its server. */
export interface ServerTransport {
  readonly token: string;
  readonly fetch: typeof fetch;
  readonly keptUnder: string;
}

interface StoredLink {
  readonly code: string;
  readonly secret: string;
  readonly token: string;
}

const placeOf = (code: string): string => `outside-link ${code}`;
const texts: Readonly<Record<string, string>> = {
  revoked: 'This device is no longer paired, because its access was revoked on the computer. Pair it again there.',
  used: 'This address was already used or has expired. Request a new one on the computer.',
  ...versionTexts,
  incomplete:
    'This address is incomplete: the part after # is missing. It is the key, which is never sent to this site. Scan the QR code again, or request the whole address.',
  joining: 'Connecting to your computer …',
  offline: 'This device is offline, or the site does not respond. The connection is retried automatically.',
  away: 'Your computer does not respond. It may be off, asleep or offline; this page continues when it is back.',
  unknown: 'Your computer is not connected. It may be off, or it revoked the access of this device.',
};

/** Resolves once this device is paired; stays pending if pairing is impossible. */
export async function openServerTransport(): Promise<ServerTransport> {
  const notice = createLinkNotice();
  const code = location.pathname.split('/').pop() ?? '';
  const secret = secretIn(/^#k=([\w-]+)$/.exec(location.hash)?.[1] ?? '');
  const link = secret ? await pair(code, secret, notice) : readLink(code);
  if (!link) return stop(notice, 'incomplete');
  return follow(link, notice);
}

/** Shows why the page cannot load. */
function stop(notice: LinkNotice, why: string): Promise<never> {
  notice.end(texts[why] ?? 'The connection to your computer has ended.');
  return new Promise(() => undefined);
}

function readLink(code: string): (StoredLink & { readonly key: Uint8Array }) | undefined {
  const stored = jsonOf(localStorage.getItem(placeOf(code)) ?? '');
  if (!isRecord(stored)) return undefined;
  const { secret, token } = stored;
  const key = typeof secret === 'string' ? secretIn(secret) : undefined;
  return key && typeof secret === 'string' && typeof token === 'string' ? { code, secret, token, key } : undefined;
}

/** Pairs this device: stores its token and link, and removes the pairing address, which can be used only once. */
async function pair(code: string, secret: Uint8Array, notice: LinkNotice): Promise<ReturnType<typeof readLink>> {
  notice.show('Pairing this device …');
  const got = await new Promise<Readonly<Record<string, unknown>> | string>((resolve) => {
    const link = openPhoneLink({
      ...{ origin: location.origin, code, secret, greeting: { pair: deviceName(navigator.userAgent) } },
      onGreeted(fields) {
        resolve(fields);
        // Leaves the host time to receive the acknowledgement.
        setTimeout(() => link.close(), 2_000);
      },
      onState(state, why) {
        if (state === 'over') return resolve(why ?? 'used');
        if (state !== 'unknown') return void (state === 'open' || notice.show(texts[state] ?? ''));
        link.close();
        resolve('used');
      },
    });
  });
  if (typeof got === 'string') return stop(notice, got);
  const { code: own, secret: key, token } = got;
  if (typeof own !== 'string' || typeof key !== 'string' || typeof token !== 'string') return stop(notice, 'old-host');
  localStorage.setItem(placeOf(own), JSON.stringify({ secret: key, token }));
  history.replaceState(null, '', `/phone/${own}`);
  return readLink(own);
}

function follow({ code, key, token }: StoredLink & { readonly key: Uint8Array }, notice: LinkNotice): ServerTransport {
  const shown: Partial<Record<LinkState, true>> = { joining: true, offline: true, away: true, unknown: true };
  const link = openPhoneLink({
    ...{ origin: location.origin, code, secret: key, greeting: { token } },
    onGreeted: ({ version }) => notice.versions(String(version), document.querySelector<HTMLMetaElement>('meta[name="page-version"]')?.content ?? ''),
    onState(state, why = '') {
      if (state === 'over') {
        if (why === 'revoked') localStorage.removeItem(placeOf(code));
        notice.end(texts[why] ?? 'The connection to your computer has ended.');
      } else notice.show(shown[state] ? (texts[state] ?? '') : '');
    },
  });
  // Timers do not run while a phone is locked.
  const wake = (): void => void (document.visibilityState === 'visible' && link.wake());
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
  addEventListener('pagehide', (event) => event.persisted || link.close());
  return { token, fetch: fetchOver(link, location.origin), keptUnder: `${code} ` };
}
