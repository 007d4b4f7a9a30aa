// Opens clients of a real server for tests, waits for a state, and simulates a connection that can be cut.
import { createClient, type ChatState, type Client, type Entry, type KeptTexts, type Store, type WireEvent } from 'agent-harness/client';
import type { ClientWaits } from '../../../../builtins/clients/client/create-client.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';
import { type Harness, startHarness } from '../../../helpers/harness.ts';
import { type Script, type ScriptedModel, startScriptedModel } from '../../../helpers/scripted-model.ts';

export function until<T>(store: Store<T>, fits: (value: T) => boolean, limitMs = 15_000): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      leave();
      reject(new Error(`waited in vain; the state is ${JSON.stringify(store.get())}`));
    }, limitMs);
    const look = (): void => {
      if (!fits(store.get())) return;
      clearTimeout(timer);
      leave();
      resolve(store.get());
    };
    const leave = store.subscribe(look);
    look();
  });
}

/** A connection to a server that can disappear, return or be replaced. */
export interface Line {
  fetch(address: string, init?: RequestInit): Promise<Response>;
  target: Pick<Harness, 'url'> | undefined;
  /** All requests so far, for example `GET /api/status`. */
  readonly asked: { readonly key: string; readonly body: string; readonly headers: Headers }[];
  cut(): void;
}

export const lineOrigin = 'http://client.test';

export function openLine(target: Pick<Harness, 'url'> | undefined): Line {
  const open = new Set<AbortController>();
  const asked: Line['asked'] = [];
  const line: Line = {
    target,
    asked,
    cut() {
      for (const one of open) one.abort();
      open.clear();
    },
    async fetch(address, init = {}) {
      const path = address.replace(lineOrigin, '');
      asked.push({ key: `${init.method ?? 'GET'} ${path}`, body: typeof init.body === 'string' ? init.body : '', headers: new Headers(init.headers) });
      if (!line.target) throw new TypeError('fetch failed');
      const own = new AbortController();
      open.add(own);
      return globalThis.fetch(line.target.url + path, { ...init, signal: init.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal });
    },
  };
  return line;
}

export const shortWaits: ClientWaits = { stream: { first: 20, longest: 100 }, outbox: { first: 20, longest: 100 }, busyPoll: 100 };

export interface LineClientOptions {
  readonly token?: string;
  readonly kept?: KeptTexts;
  readonly waits?: ClientWaits;
}

/** Closed with the test. */
export function openClient(line: Line, { token, kept, waits = shortWaits }: LineClientOptions = {}): Client {
  const given = { ...(token === undefined ? {} : { token }), ...(kept ? { kept } : {}) };
  const client = createClient({
    origin: lineOrigin,
    fetch: (address, init) => line.fetch(address as string, init),
    schedule: (work) => void setImmediate(work),
    waits,
    ...given,
  });
  closeAfterTest(() => client.close());
  return client;
}

export async function openChat(client: Client, chatId: string): Promise<ReturnType<Client['open']>> {
  await client.start();
  const chat = client.open(chatId);
  await until(chat.state, ({ isLoaded }) => isLoaded);
  return chat;
}

export interface LineServer {
  readonly harness: Harness;
  readonly model: ScriptedModel;
  readonly line: Line;
  readonly chatId: string;
}

export async function startServer(script: Script): Promise<LineServer> {
  const model = await startScriptedModel(script);
  const harness = await startHarness({ environment: model.environment });
  const { chatId } = (await harness.call('POST', '/api/chats', { title: 'First' })).body;
  return { harness, model, line: openLine(harness), chatId };
}

const at = '2026-01-01T00:00:00.000Z';
export const emptyChat = (chatId = 'c'): ChatState => ({
  ...{ chatId, isLoaded: true, entries: [], approvals: [], questions: [], lastSignAt: 0 },
  usage: { input: 0, output: 0, cached: 0 },
});

let ids = 0;
export const eventOf = (kind: string, fields: object = {}): WireEvent => ({ kind, at, id: ++ids, chatId: 'c', turnId: 't1', ...fields });

export const textsOf = (entries: readonly Entry[]): string[] => entries.map((entry) => ('text' in entry ? entry.text : `${entry.name} ${entry.state}`));

export interface Texts extends KeptTexts {
  readonly texts: Map<string, string>;
}

/** @param limit maximum characters of a stored value */
export function keepTexts(limit = Infinity): Texts {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, value) {
      if (value.length > limit) throw new Error('QuotaExceededError');
      texts.set(key, value);
    },
    removeItem: (key) => void texts.delete(key),
  };
}
