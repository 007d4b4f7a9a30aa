// Sends one message to one browser through its push service: encrypted for the browser (RFC 8291), signed by this server (RFC 8292).
import { createECDH } from 'node:crypto';
import ece from 'http_ece';
import { importJWK, SignJWT } from 'jose';
import { messageOf } from '#lib/errors';
import { fetchGuarded } from '#lib/guarded-fetch';
import { isPublicAddress, type FindAddresses } from '#lib/net';
import { publicKeyOf, type PushKey, type Subscription } from './push-store.ts';

export interface PushMessage {
  readonly content: object;
  /** Time in seconds for which the push service stores the message for an offline browser. */
  readonly ttl: number;
  /** Whether the message wakes a phone in power-saving mode. */
  readonly isUrgent: boolean;
}

export interface SendParts {
  readonly key: PushKey;
  /** E-mail or web address at which the operator of the push service can contact the sender. */
  readonly contact: string;
  /** Returns whether the service may be on the local network. */
  readonly mayBePrivate: (endpoint: URL) => boolean;
  readonly signal: AbortSignal;
  readonly find?: FindAddresses | undefined;
}

/** `gone`: the browser has unsubscribed. `failed`: the message was not delivered, with the reason. */
export type Sent = { readonly kind: 'sent' | 'gone' } | { readonly kind: 'failed'; readonly why: string };

const timeoutMs = 10_000;
/** Lifetime of the signed token. RFC 8292 allows a day, but clocks may differ. */
const tokenLife = '12h';

/** Sends one message. Never rejects; a failure is part of the result. */
export async function sendPush({ endpoint, p256dh, auth }: Subscription, { content, ttl, isUrgent }: PushMessage, parts: SendParts): Promise<Sent> {
  try {
    const url = new URL(endpoint);
    const isOwn = parts.mayBePrivate(url);
    const own = createECDH('prime256v1');
    own.generateKeys();
    const body = ece.encrypt(Buffer.from(JSON.stringify(content)), {
      version: 'aes128gcm',
      dh: Buffer.from(p256dh, 'base64url'),
      privateKey: own,
      authSecret: Buffer.from(auth, 'base64url'),
    });
    const headers = {
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttl),
      urgency: isUrgent ? 'high' : 'normal',
      authorization: await signed(url.origin, parts),
    };
    const { status, statusText } = await fetchGuarded(
      url,
      { method: 'POST', headers, body, signal: AbortSignal.any([parts.signal, AbortSignal.timeout(timeoutMs)]) },
      {
        judge: (address) =>
          isOwn || isPublicAddress(address) ? undefined : new Error(`${url.host} is in the local network; list it in AGENT_PUSH_OWN_SERVICES to allow it`),
        ...(parts.find ? { find: parts.find } : {}),
        limit: 1024,
      },
    );
    if (status === 404 || status === 410) return { kind: 'gone' };
    return status >= 200 && status < 300 ? { kind: 'sent' } : { kind: 'failed', why: `${url.host} returned ${status} ${statusText}`.trim() };
  } catch (fault) {
    return { kind: 'failed', why: messageOf(fault) };
  }
}

async function signed(audience: string, { key, contact }: SendParts): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(audience)
    .setExpirationTime(tokenLife)
    .setSubject(contact)
    .sign(await importJWK({ ...key }, 'ES256'));
  return `vapid t=${token}, k=${publicKeyOf(key)}`;
}
