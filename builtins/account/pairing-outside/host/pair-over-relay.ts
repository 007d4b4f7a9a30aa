// Pairs a device that opened a pairing link: receives its name and returns its own token and link, once.
import { textStart } from '#lib/text';
import { fieldsOf, kinds, linkVersion, readFrame, writeFrame } from '../link/frame.ts';
import type { DeviceLine, DeviceUser } from './device-session.ts';
import { goodbye } from './page-session.ts';

export interface Paired {
  readonly token: string;
  /** Relay code of the device's own link. */
  readonly code: string;
  readonly secret: string;
}

/** Handles the messages of a device that wants to pair. @param onPaired called when the pairing link is no longer valid */
export function pairOverRelay(line: DeviceLine, pair: (name: string) => Promise<Paired>, onPaired: () => void): DeviceUser {
  let isAsked = false;
  return {
    take(message) {
      const frame = readFrame(message);
      if (frame?.kind !== kinds.greeting || isAsked) return;
      isAsked = true;
      const { v, pair: name } = fieldsOf(frame);
      if (v !== linkVersion) return line.finish(goodbye('version'));
      if (typeof name !== 'string' || name === '') return line.finish(goodbye('used'));
      pair(textStart(name, 200)).then(
        (paired) => {
          line.finish(writeFrame(kinds.greeting, 0, { v: linkVersion, ...paired }));
          onPaired();
        },
        () => line.finish(goodbye('used')),
      );
    },
    close: () => undefined,
  };
}
