// Remote calls between the server and the child process of a plugin, over any ordered message channel.
import { messageOf } from 'agent-harness/lib/errors';
import { decode, encode, type Held } from './rpc-codec.ts';

/** An ordered message channel. */
export interface Port {
  post(message: unknown): void;
  onMessage(hear: (message: unknown) => void): void;
}

export interface RpcParts {
  readonly port: Port;
  /** Functions that the other side may call by name. */
  readonly doors: Readonly<Record<string, (...args: never[]) => unknown>>;
  /** Prefix of the ids of this side; the two sides use different ones. */
  readonly prefix: string;
  /** Creates the stub of a remote function instead of the default one. */
  readonly stub?: (id: string) => Held;
  /** Called with the reason for an invalid message. Without it such a message is ignored. */
  readonly onBroken?: (why: string) => void;
}

/** Functions and signals among the arguments of a call live until it is done; those of other values until {@link Rpc.close}. */
export interface Rpc {
  /** Calls a named function or a passed one. Rejects with the remote error, or with the reason of {@link Rpc.close}. */
  call(target: string, args: readonly unknown[]): Promise<unknown>;
  /** A call without a result; dropped after {@link Rpc.close}. */
  tell(target: string, ...args: unknown[]): void;
  /** The wire form of a value. */
  encode(value: unknown): unknown;
  /** The value of a wire form. */
  decode(wire: unknown): unknown;
  /** Changes the prefix of later ids. */
  rename(prefix: string): void;
  /** Number of pending calls. */
  readonly waiting: number;
  /** Rejects all pending calls with the reason. */
  close(reason: Error): void;
}

type Message =
  | readonly ['call', id: number, target: string, args: unknown]
  | readonly ['done', id: number, isOk: boolean, value: unknown]
  | readonly ['tell', target: string, args: unknown]
  | readonly ['abort', id: string, reason: unknown];

/** Checks the shape of a message; its values are checked where they are used. */
function isMessage(message: unknown): message is Message {
  if (!Array.isArray(message)) return false;
  const [kind, first, second, third] = message as unknown[];
  if (kind === 'call') return typeof first === 'number' && typeof second === 'string' && Array.isArray(third);
  if (kind === 'done') return typeof first === 'number' && typeof second === 'boolean';
  return typeof first === 'string' && (kind === 'abort' || (kind === 'tell' && Array.isArray(second)));
}

export function createRpc({ port, doors, prefix: first, stub, onBroken }: RpcParts): Rpc {
  let prefix = first;
  const held = new Map<string, Held>();
  const controllers = new Map<string, AbortController>();
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (fault: unknown) => void; readonly end: () => void }>();
  let calls = 0;
  let names = 0;
  let ended: Error | undefined;

  /** `end` frees the functions and signals of the value. */
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

  /** @param signals gets the ids of the signals in the value */
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

  async function answer(id: number, target: string, wire: unknown): Promise<void> {
    const signals: string[] = [];
    const reply = (isOk: boolean, value: unknown): void => {
      for (const signal of signals) controllers.delete(signal);
      if (!ended) port.post(['done', id, isOk, pack(value).wire]);
    };
    try {
      reply(true, await run(target, unpack(wire, signals) as unknown[]));
    } catch (fault) {
      reply(false, fault);
    }
  }

  function run(target: string, args: readonly unknown[]): unknown {
    const door = Object.hasOwn(doors, target) ? (doors[target] as Held) : held.get(target);
    if (!door) throw new Error(`there is nothing to call under '${target}'`);
    return door(...args);
  }

  function receive(message: Message): void {
    if (message[0] === 'call') void answer(message[1], message[2], message[3]);
    else if (message[0] === 'done') settle(message);
    else if (message[0] === 'abort') {
      const controller = controllers.get(message[1]);
      controllers.delete(message[1]);
      controller?.abort(unpack(message[2]));
    } else {
      // There is no result to reject; the functions report their own faults.
      void Promise.resolve()
        .then(() => run(message[1], unpack(message[2]) as unknown[]))
        .catch(() => undefined);
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
      // Further results of the same kind could affect later calls.
      throw new TypeError(`it sent a result that cannot be read (${messageOf(fault)})`, { cause: fault });
    }
  }

  port.onMessage((message) => {
    if (ended) return;
    try {
      if (!isMessage(message)) throw new TypeError('it sent something that is no message');
      receive(message);
    } catch (fault) {
      onBroken?.(messageOf(fault));
    }
  });

  return {
    call,
    tell(target, ...args) {
      if (!ended) port.post(['tell', target, pack(args).wire]);
    },
    encode: (value) => pack(value).wire,
    decode: unpack,
    rename: (next) => void (prefix = next),
    get waiting() {
      return waiting.size;
    },
    close(reason) {
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
