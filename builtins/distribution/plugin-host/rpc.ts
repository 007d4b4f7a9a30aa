// Remote calls between the server and the child process of a plugin, over any ordered message channel.
import { messageOf } from 'agent-harness/lib/errors';
import { decode, encode, type Crossing, type Held } from './rpc-codec.ts';

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
  /** Creates the stub of a remote function in place of the default one. */
  readonly stub?: (id: string) => Held;
  /** Called with the reason for a message that cannot be used. Without it such a message is ignored. */
  readonly onBroken?: (why: string) => void;
}

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
  | readonly ['abort', id: string, reason: unknown]
  | readonly ['free', ids: readonly string[]];

/** Checks the shape of a message; its values are checked where they are used. */
function isMessage(message: unknown): message is Message {
  if (!Array.isArray(message)) return false;
  const [kind, first, second, third] = message as unknown[];
  if (kind === 'call') return typeof first === 'number' && typeof second === 'string' && Array.isArray(third);
  if (kind === 'done') return typeof first === 'number' && typeof second === 'boolean';
  if (kind === 'tell') return typeof first === 'string' && Array.isArray(second);
  if (kind === 'abort') return typeof first === 'string';
  return kind === 'free' && Array.isArray(first) && first.every((id) => typeof id === 'string');
}

export function createRpc({ port, doors, prefix: first, stub, onBroken }: RpcParts): Rpc {
  let prefix = first;
  /** Passed functions with their reference counts. */
  const held = new Map<string, { readonly fn: Held; times: number }>();
  const ids = new WeakMap<Held, string>();
  const stubs = new WeakMap<Held, string>();
  const waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (fault: unknown) => void; readonly signals: readonly (() => void)[] }
  >();
  const controllers = new Map<string, AbortController>();
  let calls = 0;
  let names = 0;
  let ended: Error | undefined;
  /** Listeners of the call that is being encoded. */
  let listening: (() => void)[] = [];

  const unused = new FinalizationRegistry<string>((id) => {
    if (!ended) port.post(['free', [id]]);
  });

  const crossing: Crossing = {
    hold(fn) {
      const known = ids.get(fn);
      const before = known === undefined ? undefined : held.get(known);
      if (known !== undefined && before) {
        before.times++;
        return known;
      }
      const id = `${prefix}${names++}`;
      held.set(id, { fn, times: 1 });
      ids.set(fn, id);
      return id;
    },
    stubOf(id) {
      const made = stub?.(id) ?? ((...args: unknown[]) => call(id, args));
      stubs.set(made, id);
      unused.register(made, id);
      return made;
    },
    idOf: (fn) => stubs.get(fn),
    heldUnder(id) {
      const { fn } = held.get(id) ?? {};
      if (!fn) throw new Error('a function that is gone came back');
      return fn;
    },
    holdSignal(signal) {
      const id = `${prefix}s${names++}`;
      const hear = (): void => port.post(['abort', id, encode(signal.reason, crossing)]);
      signal.addEventListener('abort', hear, { once: true });
      listening.push(() => signal.removeEventListener('abort', hear));
      return id;
    },
    signalOf(id) {
      const controller = new AbortController();
      controllers.set(id, controller);
      return controller;
    },
  };

  function encodeArgs(args: readonly unknown[]): { wire: unknown; signals: readonly (() => void)[] } {
    listening = [];
    const wire = encode(args, crossing);
    return { wire, signals: listening };
  }

  function call(target: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (ended) throw ended;
      const { wire, signals } = encodeArgs(args);
      const id = calls++;
      waiting.set(id, { resolve, reject, signals });
      port.post(['call', id, target, wire]);
    });
  }

  async function answer(id: number, target: string, wire: unknown): Promise<void> {
    const own = new Set(controllers.keys());
    let signals: string[] = [];
    const reply = (isOk: boolean, value: unknown): void => {
      for (const signal of signals) controllers.delete(signal);
      if (!ended) port.post(['done', id, isOk, encode(value, crossing)]);
    };
    try {
      const args = decode(wire, crossing) as unknown[];
      signals = [...controllers.keys()].filter((one) => !own.has(one));
      const value = await run(target, args);
      reply(true, value);
    } catch (fault) {
      reply(false, fault);
    }
  }

  function run(target: string, args: readonly unknown[]): unknown {
    const door = Object.hasOwn(doors, target) ? (doors[target] as Held) : held.get(target)?.fn;
    if (!door) throw new Error(`there is nothing to call under '${target}'`);
    return door(...args);
  }

  function free(id: string): void {
    const one = held.get(id);
    if (one && --one.times === 0) held.delete(id);
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

  function receive(message: Message): void {
    const [kind] = message;
    if (kind === 'call') void answer(message[1], message[2], message[3]);
    else if (kind === 'done') settle(message);
    else if (kind === 'tell') {
      // There is no result to reject; the callables report their own faults.
      void Promise.resolve()
        .then(() => run(message[1], decode(message[2], crossing) as unknown[]))
        .catch(() => undefined);
    } else if (kind === 'abort') {
      const controller = controllers.get(message[1]);
      controllers.delete(message[1]);
      controller?.abort(decode(message[2], crossing));
    } else for (const id of message[1]) free(id);
  }

  function settle([, id, isOk, wire]: Extract<Message, readonly ['done', ...unknown[]]>): void {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    for (const forget of one.signals) forget();
    try {
      const value = decode(wire, crossing);
      if (isOk) one.resolve(value);
      else one.reject(value);
    } catch (fault) {
      one.reject(fault);
    }
  }

  return {
    call,
    tell(target, ...args) {
      if (!ended) port.post(['tell', target, encodeArgs(args).wire]);
    },
    encode: (value) => encode(value, crossing),
    decode: (wire) => decode(wire, crossing),
    rename: (next) => void (prefix = next),
    get waiting() {
      return waiting.size;
    },
    close(reason) {
      if (ended) return;
      ended = reason;
      for (const { reject, signals } of waiting.values()) {
        for (const forget of signals) forget();
        reject(reason);
      }
      waiting.clear();
    },
  };
}
