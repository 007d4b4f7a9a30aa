// Simulates a phone without a page: sends requests through the relay, with optional interference by the relay.
import { secretIn } from '../../plugins/lib/sealed-link.ts';
import { fetchOver } from '../../builtins/account/pairing-outside/phone/fetch-over.ts';
import { openPhoneLink, type LinkState, type PhoneLink } from '../../builtins/account/pairing-outside/phone/phone-link.ts';

export interface PairedPhone {
  readonly code: string;
  readonly secret: string;
  readonly token: string;
}

export interface OpenPhone {
  readonly link: PhoneLink;
  readonly fetch: typeof fetch;
  readonly states: (readonly [state: LinkState, why?: string])[];
  /** Number of greetings from the computer: one per connection. */
  readonly greeted: number;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
}

export type Relaying = (path: string, init: RequestInit | undefined, ask: typeof fetch) => Promise<Response>;

export function pairPhone(address: string, name = 'Phone'): Promise<PairedPhone> {
  const url = new URL(address);
  const code = url.pathname.split('/').pop() ?? '';
  const secret = secretIn(url.hash.slice('#k='.length));
  if (!secret) throw new Error('the address has no secret');
  return new Promise((resolve, reject) => {
    const link = openPhoneLink({
      ...{ origin: url.origin, code, secret, greeting: { pair: name } },
      onGreeted(fields) {
        resolve(fields as unknown as PairedPhone);
        setTimeout(() => link.close(), 1_000);
      },
      onState(state, why) {
        if (state !== 'over' && state !== 'unknown') return;
        link.close();
        reject(new Error(why ?? state));
      },
    });
  });
}

/** Opens the link. The caller closes it. @param relaying interferes between the phone and the relay */
export function openPhone(origin: string, { code, secret, token }: PairedPhone, relaying?: Relaying): OpenPhone {
  const key = secretIn(secret);
  if (!key) throw new Error('that is no secret');
  const states: [LinkState, string?][] = [];
  let greeted = 0;
  const link = openPhoneLink({
    ...{ origin, code, secret: key, greeting: { token }, retry: { first: 50, longest: 500 } },
    ...(relaying ? { fetch: (input, init) => relaying(input as string, init, fetch) } : {}),
    onGreeted: () => greeted++,
    onState: (state, why) => states.push(why === undefined ? [state] : [state, why]),
  });
  const over = fetchOver(link, origin);
  return {
    ...{ link, fetch: over, states },
    get greeted() {
      return greeted;
    },
    async call(method, path, body) {
      const reply = await over(origin + path, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
    },
  };
}
