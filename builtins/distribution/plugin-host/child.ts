// Implements a plugin's child process: imports the plugin, lets it register, and executes calls from the server.
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import os from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Disposable, PluginManifest } from 'agent-harness/kernel';
import type { ProxiedReply, ProxiedRequest } from './proxied-fetch.ts';
import { channelNumber, openChannel } from './message-channel.ts';
import { createChildRegistry, type ChildRegistry, type Setting } from './child-registry.ts';
import { createRpc, type RpcParts } from './rpc.ts';

export interface Registered {
  /** {@link Registration}s as JSON, with functions as ids. The same code yields the same text. */
  readonly text: string;
  /** Whether no timer, resource or deferred undo is left; the process may then end until the next call. */
  readonly isDone: boolean;
}

interface Module {
  readonly manifest?: PluginManifest;
  register?(registry: unknown, emitter: unknown): unknown;
}

/** Serves one plugin until the port closes. */
function serveChild(port: RpcParts['port']): void {
  let loaded: Module | undefined;
  let registry: ChildRegistry | undefined;
  let returned: unknown;

  async function load(path: string): Promise<Module> {
    if (loaded) return loaded;
    const imported = (await import(pathToFileURL(path).href)) as Module & { readonly default?: Module };
    const found = [imported, imported.default].find((one) => typeof one?.register === 'function');
    if (!found) throw new Error('it must export a function `register(registry, emitter)`.');
    return (loaded = found);
  }

  const server = createRpc({
    port,
    prefix: 'g',
    doors: {
      manifest: async (path: string) => (await load(path)).manifest ?? {},
      async register(path: string, manifest: PluginManifest, setting: Setting): Promise<Registered> {
        const timers = countTimers();
        const busy = countResources();
        const module = await load(path);
        registry = createChildRegistry(manifest, setting, server);
        returned = await module.register?.(registry.registry, registry.emitter);
        const text = JSON.stringify(server.encode(registry.take()));
        // Functions that are passed later belong only to this run.
        server.rename(`g${setting.run}.`);
        const isDone = timers.end() === 0 && countResources() <= busy && !registry.hasDeferred() && !isDisposable(returned);
        return { text, isDone };
      },
      config: (values: Readonly<Record<string, unknown>>) => registry?.setConfig(values),
      ping: () => true,
      async end(): Promise<void> {
        if (isDisposable(returned)) await returned.dispose();
        await registry?.end();
      },
    },
  });

  // The sandbox has no network. The server sends the request, and only to approved hosts.
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, redirect, signal } = request;
    const body = request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) };
    const sent: [string, string][] = [];
    request.headers.forEach((value, name) => void sent.push([name, value]));
    const asked: ProxiedRequest = { url, method, redirect, headers: sent, ...body };
    const answer = (await server.call('fetch', [asked, signal])) as ProxiedReply;
    const { status, statusText } = answer;
    const mayHaveBody = ![101, 204, 205, 304].includes(status);
    const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
    const response = new Response(mayHaveBody ? (answer.body as Uint8Array<ArrayBuffer>) : null, { status, statusText, headers });
    return Object.defineProperties(response, { url: { value: answer.url }, redirected: { value: answer.url !== url } });
  };
}

/** Counts open resources, without files that Node closes after an import. */
const countResources = (): number => process.getActiveResourcesInfo().filter((kind) => kind !== 'CloseReq').length;

/** Counts the timers that are set until `end` is called, including unreferenced ones. */
function countTimers(): { end(): number } {
  const names = ['setTimeout', 'setInterval', 'setImmediate'] as const;
  const before = names.map((name) => globalThis[name]);
  let count = 0;
  for (const [at, name] of names.entries()) {
    const own = before[at] as (...args: unknown[]) => unknown;
    (globalThis as Record<string, unknown>)[name] = Object.assign((...args: unknown[]): unknown => (count++, own(...args)), own);
  }
  return {
    end() {
      for (const [at, name] of names.entries()) (globalThis as Record<string, unknown>)[name] = before[at];
      return count;
    },
  };
}

const isDisposable = (value: unknown): value is Disposable => typeof (value as Partial<Disposable> | undefined)?.dispose === 'function';

function refused(what: string): () => never {
  return () => {
    throw Object.assign(new Error(`${what} is not available to an isolated plugin.`), { code: 'ERR_ACCESS_DENIED' });
  };
}

function openPort(): RpcParts['port'] {
  let receive: (message: unknown) => void = () => undefined;
  const exit = process.exit.bind(process);
  const channel = new Socket({ fd: channelNumber }).on('error', () => exit(0)).on('close', () => exit(0));
  const send = openChannel(
    channel,
    Infinity,
    (text) => receive(JSON.parse(text)),
    () => exit(1),
  );
  return { post: (message) => send(JSON.stringify(message)), onMessage: (listener) => void (receive = listener) };
}

// Node's permission model does not restrict signals, one of which starts the debugger of the server.
for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd'])
  Object.defineProperty(process, name, { value: refused(`process.${name}`), writable: false, configurable: false });
// Lowering the server's priority would slow down all clients.
os.setPriority = refused('os.setPriority');
syncBuiltinESMExports();
serveChild(openPort());
