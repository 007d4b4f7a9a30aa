// Implements remote calls between the server and a plugin's child process over any ordered message channel.
import { messageOf } from '#lib/errors';
import { decode, encode, type Held } from './rpc-codec.ts';

export interface RpcParts {
  readonly port: { post(message: unknown): void; onMessage(hear: (message: unknown) => void): void };
  /** Functions that the other side may call by name. */
  readonly doors: Readonly<Record<string, (...args: never[]) => unknown>>;
  /** Prefix for the ids of this side; the two sides use different prefixes. */
  readonly prefix: string;
  /** Creates the stub of a remote function; default: a stub that calls it. */
  readonly stub?: (id: string) => Held;
  /** Called with the reason for an invalid message; by default, invalid messages are ignored. */
  readonly onBroken?: (why: string) => void;
}

/** A message; a call without an id has no result. */
type Message =
  | readonly ['call', id: number | null, target: string, args: unknown]
  | readonly ['done', id: number, isOk: boolean, value: unknown]
  | readonly ['abort', id: string, reason: unknown];

/** Checks the type of a message; its values are checked where they are used. */
function isMessage(message: unknown): message is Message {
  if (!Array.isArray(message)) return false;
  const [kind, first, second, third] = message as unknown[];
  if (kind === 'call') return (first === null || typeof first === 'number') && typeof second === 'string' && Array.isArray(third);
  return kind === 'done' ? typeof first === 'number' && typeof second === 'boolean' : kind === 'abort' && typeof first === 'string';
}

/** Functions and signals in the arguments of a call live until the call has ended; those in other values live until {@link Rpc.close}. */
export type Rpc = ReturnType<typeof createRpc>;

export function createRpc({ port, doors, prefix: first, stub, onBroken }: RpcParts) {
  let prefix = first;
  const held = new Map<string, Held>();
  const controllers = new Map<string, AbortController>();
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (fault: unknown) => void; readonly end: () => void }>();
  let calls = 0;
  let names = 0;
  let ended: Error | undefined;

  /** Encodes a value; `end` releases its functions and signals. */
  function pack(value: unknown): { readonly wire: unknown; readonly end: () => void } {
    const ends: (() => unknown)[] = [];
    const wire = encode(value, {
      hold(fn) {
        const id = `${prefix}${names++}`;
        held.set(id, fn);
        ends.push(() => held.delete(id));
        return id;
      },
      holdSignal(signal) {
        const id = `${prefix}s${names++}`;
        const hear = (): void => port.post(['abort', id, pack(signal.reason).wire]);
        signal.addEventListener('abort', hear, { once: true });
        ends.push(() => signal.removeEventListener('abort', hear));
        return id;
      },
    });
    return { wire, end: () => ends.forEach((end) => end()) };
  }

  /** @param signals receives the ids of the signals in the value */
  function unpack(wire: unknown, signals: string[] = []): unknown {
    return decode(wire, {
      stubOf: (id) => stub?.(id) ?? ((...args) => call(id, args)),
      signalOf(id) {
        const controller = new AbortController();
        controllers.set(id, controller);
        signals.push(id);
        return controller;
      },
    });
  }

  function call(target: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (ended) throw ended;
      const { wire, end } = pack(args);
      const id = calls++;
      waiting.set(id, { resolve, reject, end });
      port.post(['call', id, target, wire]);
    });
  }

  async function answer([, id, target, wire]: Extract<Message, readonly ['call', ...unknown[]]>): Promise<void> {
    const signals: string[] = [];
    const reply = (isOk: boolean, value: unknown): void => {
      for (const signal of signals) controllers.delete(signal);
      if (!ended && id !== null) port.post(['done', id, isOk, pack(value).wire]);
    };
    try {
      const door = Object.hasOwn(doors, target) ? (doors[target] as Held) : held.get(target);
      if (!door) throw new Error(`there is no function '${target}'`);
      reply(true, await door(...(unpack(wire, signals) as unknown[])));
    } catch (fault) {
      reply(false, fault);
    }
  }

  function settle([, id, isOk, wire]: Extract<Message, readonly ['done', ...unknown[]]>): void {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    one.end();
    try {
      const value = unpack(wire);
      if (isOk) one.resolve(value);
      else one.reject(value);
    } catch (fault) {
      one.reject(fault);
      // Throws to report an invalid message, because later results of the same kind could affect other calls.
      throw new TypeError(`it sent an unreadable result (${messageOf(fault)})`, { cause: fault });
    }
  }

  port.onMessage((message) => {
    if (ended) return;
    try {
      if (!isMessage(message)) throw new TypeError('it sent an invalid message');
      if (message[0] === 'call') return void answer(message);
      if (message[0] === 'done') return settle(message);
      const controller = controllers.get(message[1]);
      controllers.delete(message[1]);
      controller?.abort(unpack(message[2]));
    } catch (fault) {
      onBroken?.(messageOf(fault));
    }
  });

  return {
    /** Calls a function by name or id. Rejects with the remote error, or with the reason of {@link Rpc.close}. */
    call,
    /** Sends a call that has no result; dropped after {@link Rpc.close}. */
    notify(target: string, ...args: unknown[]): void {
      if (!ended) port.post(['call', null, target, pack(args).wire]);
    },
    encode: (value: unknown) => pack(value).wire,
    decode: (wire: unknown) => unpack(wire),
    /** Changes the prefix for later ids. */
    rename: (next: string) => void (prefix = next),
    /** Returns the number of pending calls. */
    waiting: () => waiting.size,
    /** Rejects all pending calls with the reason. */
    close(reason: Error): void {
      if (ended) return;
      ended = reason;
      for (const { reject, end } of waiting.values()) {
        end();
        reject(reason);
      }
      waiting.clear();
    },
  };
}
