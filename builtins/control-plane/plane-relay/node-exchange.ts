// Exchanges data of relayed remote sessions between nodes: waiting guests, inputs, and frames for guests on other nodes.
import { isRecord } from '#lib/values';
import type { Signals } from 'agent-harness/builtins/control-plane/plane-signals';
import type { ChannelStore } from './channel-store.ts';

export type NodeExchange = ReturnType<typeof createNodeExchange>;

/** Maximum bytes of a frame part in one signal, before base64. */
const partBytes = 256 * 1024;
const maxPollMs = 25_000;
/** Maximum wait of a poll in milliseconds while the other nodes cannot be reached. */
const lostPollMs = 1_000;

interface Coming {
  readonly number: number;
  readonly parts: (Buffer | undefined)[];
}

/** Subscribes to the relay signals of other nodes. The caller must dispose the result. @param node id of this process, whose own signals are ignored */
export function createNodeExchange(signals: Signals, node: string, channels: () => ChannelStore) {
  /** Partially received frames, the newest of each guest. */
  const coming = new Map<string, Coming>();

  function publish(session: string, payload: object): void {
    if (signals.state() === 'connected') signals.publish(`relay.${session}`, { node, ...payload });
  }

  function takePart(session: string, guest: string, { number, part, of, data }: Readonly<Record<string, unknown>>): void {
    if (typeof number !== 'number' || typeof part !== 'number' || typeof of !== 'number' || typeof data !== 'string' || !(of <= 8) || !(part < of)) return;
    const key = `${session} ${guest}`;
    const known = coming.get(key);
    const one = known?.number === number ? known : { number, parts: Array.from<Buffer | undefined>({ length: of }) };
    one.parts[part] = Buffer.from(data, 'base64');
    const whole = one.parts.filter((bytes) => bytes !== undefined);
    if (whole.length < of) {
      coming.set(key, one);
      return;
    }
    coming.delete(key);
    channels().deliver(session, guest, number, Buffer.concat(whole));
  }

  function take(payload: unknown, topic: string): void {
    if (!isRecord(payload) || payload['node'] === node) return;
    const session = topic.slice('relay.'.length);
    const { what, guest, address } = payload;
    if (what === 'ended') return channels().end(session);
    if (typeof guest !== 'string') return;
    if (what === 'left') channels().leave(session, guest);
    if (what === 'frame') takePart(session, guest, payload);
    if (typeof address !== 'string') return;
    if (what === 'wanting' && typeof payload['has'] === 'number') channels().wantedElsewhere(session, guest, payload['has'], address);
    if (what === 'inputs' && Array.isArray(payload['messages'])) {
      const messages = (payload['messages'] as [number, string][]).map(([number, text]) => [number, Buffer.from(text, 'base64')] as const);
      channels().take(session, guest, address, messages);
    }
  }

  const subscription = signals.subscribe('relay.*', take);
  let wasLost = false;
  // Ends polls that started earlier, as their data may arrive on another node.
  const watching = setInterval(() => {
    // Skips the check if there are no sessions, because it would make a CLI command connect and disturb a restore.
    const isLost = channels().figures().sessions > 0 && signals.state() === 'lost';
    if (isLost && !wasLost) channels().release();
    wasLost = isLost;
  }, lostPollMs);
  watching.unref();
  return {
    wanting: (session: string, guest: string, has: number, address: string): void => publish(session, { what: 'wanting', guest, has, address }),
    frame(session: string, guest: string, number: number, frame: Buffer): void {
      const of = Math.ceil(frame.length / partBytes);
      for (let part = 0; part < of; part++) {
        publish(session, { what: 'frame', guest, number, part, of, data: frame.subarray(part * partBytes, (part + 1) * partBytes).toString('base64') });
      }
    },
    inputs: (session: string, guest: string, address: string, messages: readonly (readonly [number: number, message: Buffer])[]): void =>
      publish(session, { what: 'inputs', guest, address, messages: messages.map(([number, bytes]) => [number, bytes.toString('base64')]) }),
    left: (session: string, guest: string): void => publish(session, { what: 'left', guest }),
    ended: (session: string): void => publish(session, { what: 'ended' }),
    /** Returns the maximum poll duration in milliseconds; it is shorter while nodes do not receive each other's signals. */
    maxWaitMs: (): number => (signals.state() === 'lost' ? lostPollMs : maxPollMs),
    dispose(): void {
      clearInterval(watching);
      void subscription.dispose();
    },
  };
}
