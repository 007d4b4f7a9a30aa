// Remote calls between the server and the child process of a plugin, over any ordered message channel.
import { decode, encode, type Crossing, type Held } from './rpc-codec.ts';

/** Where messages go and come from. */
export interface Port {
  post(message: unknown): void;
  onMessage(hear: (message: unknown) => void): void;
}

export interface RpcParts {
  readonly port: Port;
  /** What the other side may call by name. */
  readonly doors: Readonly<Record<string, (...args: never[]) => unknown>>;
  /** In front of the ids that this side gives out, so that both sides' differ. */
  readonly prefix: string;
  /** Instead of a function that calls the other side at once. */
  readonly stub?: (id: string) => Held;
}

export interface Rpc {
  /** Calls a door, or a function that was given. Rejects with what is thrown there, or as {@link Rpc.close} says. */
  call(target: string, args: readonly unknown[]): Promise<unknown>;
  /** Without an answer, and without a complaint when nobody is there. */
  tell(target: string, ...args: unknown[]): void;
  /** As it is posted, with the ids of now. */
  encode(value: unknown): unknown;
  /** What the other side encoded. */
  decode(wire: unknown): unknown;
  /** Ids that are given from now on begin so. */
  rename(prefix: string): void;
  /** Calls that have begun and not ended. */
  readonly waiting: number;
  /** Ends every call with that reason. */
  close(reason: Error): void;
}

type Message =
  | readonly ['call', id: number, target: string, args: unknown]
  | readonly ['done', id: number, isOk: boolean, value: unknown]
  | readonly ['tell', target: string, args: unknown]
  | readonly ['abort', id: string, reason: unknown]
  | readonly ['free', ids: readonly string[]];

export function createRpc({ port, doors, prefix: first, stub }: RpcParts): Rpc {
  let prefix = first;
  /** With how often each was given: the other side frees each time alone. */
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
  /** Of the call that is being encoded. */
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
    const told = message as Message;
    if (told[0] === 'call') void answer(told[1], told[2], told[3]);
    else if (told[0] === 'done') {
      const [, id, isOk, wire] = told;
      const one = waiting.get(id);
      if (!one) return;
      waiting.delete(id);
      for (const forget of one.signals) forget();
      const value = decode(wire, crossing);
      if (isOk) one.resolve(value);
      else one.reject(value);
    } else if (told[0] === 'tell') {
      // Whoever tells does not hear of a fault; the doors say what they have to say themselves.
      void Promise.resolve()
        .then(() => run(told[1], decode(told[2], crossing) as unknown[]))
        .catch(() => undefined);
    } else if (told[0] === 'abort') {
      const controller = controllers.get(told[1]);
      controllers.delete(told[1]);
      controller?.abort(decode(told[2], crossing));
    } else for (const id of told[1]) free(id);
  });

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
