// Pairs a device that opened a pairing link: receives its name and returns its own token and link, once.
import { textStart } from '#lib/text';
import { encodeGoodbye, encodeGreeting, type Fields } from '#lib/tunnel-codec';
import type { TunnelLine, TunnelUser } from '#lib/tunnel-host';

export interface Paired {
  readonly token: string;
  /** Relay code of the device's own link. */
  readonly code: string;
  readonly secret: string;
}

/** Answers the greeting of a device that wants to pair. @param onPaired called when the pairing link is no longer valid */
export function pairOverRelay(line: TunnelLine, { pair: name }: Fields, pair: (name: string) => Promise<Paired>, onPaired: () => void): TunnelUser {
  const pairing = typeof name === 'string' && name !== '' ? pair(textStart(name, 200)) : Promise.reject(new Error('The device has no name.'));
  pairing.then(
    (paired) => {
      line.finish(encodeGreeting({ ...paired }));
      onPaired();
    },
    () => line.finish(encodeGoodbye('used')),
  );
  return { take: () => undefined, close: () => undefined };
}
