// What a plugin finds in its thread or process: node's modules that compute, files where it may have them, and no other way out.
// It stands in the realm of the plugin's own code, so nothing here relies, once that runs, on what that code can change. A child has the permission
// model and the sandbox behind it; a thread has this wall alone, which is one of the language and none of the system.
import nodeFs from 'node:fs';
import module, { builtinModules, createRequire, syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';
import { fileRules, guardFiles, lockFileHandles } from './guest-files.ts';
import { refused, replace, uncurry, type Exports } from './guest-refusal.ts';
import { harmless } from './harmless-modules.ts';

export interface Walls {
  /** Absolute paths of files and folders. */
  readonly readable: readonly string[];
  /** It may read these, too. */
  readonly writable: readonly string[];
}

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const startsWith = uncurry(String.prototype.startsWith);
const { writeSync } = nodeFs;
const UrlOf = URL;
const require = createRequire(import.meta.url);
const { registerHooks } = module as unknown as { readonly registerHooks?: (hooks: object) => unknown };

/** Of the functions of `process`; those of events come from its prototype. */
const ofProcess = new Set(
  [
    'uptime getActiveResourcesInfo cpuUsage resourceUsage memoryUsage constrainedMemory availableMemory threadCpuUsage exit reallyExit hrtime assert',
    'emitWarning nextTick getBuiltinModule cwd ref unref umask setUncaughtExceptionCaptureCallback hasUncaughtExceptionCaptureCallback',
    'getuid geteuid getgid getegid getgroups setSourceMapsEnabled _fatalException _tickCallback _send _disconnect disconnect',
    'emit on once off addListener removeListener removeAllListeners prependListener prependOnceListener listeners listenerCount eventNames',
  ].flatMap((names) => names.split(' ')),
);
const ofGlobals = ['WebSocket', 'WebSocketStream', 'EventSource', 'BroadcastChannel', 'Storage', 'localStorage', 'sessionStorage'];
/** Of the prototypes of what goes: an object that is there already must not reach anything either. */
const waysOut = ['connect', 'connect6', 'listen', 'bind', 'open', 'send', 'start', 'exec', 'prepare', 'spawn', 'request', 'fchmod'];
/** Contract: once, and awaited before any code of the plugin is read. @param fetch in place of the global one */
export async function raiseWalls({ readable, writable }: Walls, fetch: typeof globalThis.fetch): Promise<void> {
  const rules = fileRules(readable, writable);
  await lockFileHandles();
  // What is made at first use is made now, as it is made from modules that are about to go.
  void [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.FormData];
  replaceOutput();
  guardFiles(rules);
  // Those without a bare name stand in the list from node 24 on.
  const prefixed = ['node:sqlite', 'node:sea', 'node:test', 'node:test/reporters'].filter((name) => module.isBuiltin(name));
  const names = [...new Set([...builtinModules, ...prefixed])];
  // All are there before the first one goes, as they are made of each other. Some warn that they are new.
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  const modules = names.flatMap(modulesToTake);
  process.emitWarning = emitWarning;
  for (const { exports, bare } of modules) takeAway(exports, bare);
  guardProcess();
  for (const name of ofGlobals) if (name in globalThis) replace(globalThis, name, undefined);
  replace(globalThis, 'fetch', fetch);
  syncBuiltinESMExports();
  checkImports(rules.read);
}

/** Behind the streams of a process are sockets and pipes, which connect. */
function replaceOutput(): void {
  const own = process as unknown as Exports;
  if (!process.send) return;
  for (const [name, fd] of [
    ['stdout', 1],
    ['stderr', 2],
  ] as const) {
    const stream = new Writable({ write: (chunk: Uint8Array, _encoding, done) => (writeSync(fd, chunk), done()) });
    replace(own, name, stream);
  }
  replace(own, 'stdin', undefined);
  for (const key of ownKeys(process)) {
    const value = own[key];
    if (typeof key === 'symbol' && typeof value === 'object' && value !== null) sealWays(getPrototypeOf(value) as Exports, 'process');
  }
}

function modulesToTake(name: string): { readonly exports: Exports; readonly bare: string }[] {
  const bare = name.replace(/^node:/, '');
  // Old names of parts that are there under new ones, and what is guarded by itself.
  if (bare.startsWith('_') || ['fs', 'fs/promises', 'process'].includes(bare) || harmless[bare]?.length === 0) return [];
  try {
    return [{ exports: require(name) as Exports, bare }];
  } catch {
    return []; // nobody gets it here, such as `trace_events` in a thread
  }
}

function takeAway(exports: Exports, bare: string): void {
  const named = harmless[bare];
  if (named) {
    for (const key of named) if (key in exports) replace(exports, key, refused(`${bare}.${key}`));
    return;
  }
  for (const key of ownKeys(exports)) {
    const property = getOwnPropertyDescriptor(exports, key);
    const value: unknown = property && 'value' in property ? property.value : undefined;
    if (typeof value === 'function') {
      if (typeof value.prototype === 'object' && value.prototype !== null) sealWays(value.prototype as Exports, bare);
      replace(exports, key, refused(`${bare}.${String(key)}`));
    } else if (property?.configurable && (property.get || typeof value === 'object')) replace(exports, key, undefined);
  }
}

function sealWays(prototype: Exports, name: string): void {
  for (const way of waysOut) if (getOwnPropertyDescriptor(prototype, way)?.configurable) replace(prototype, way, refused(`${name}.${way}`));
}

function guardProcess(): void {
  const own = process as unknown as Exports;
  for (const key of ownKeys(own)) {
    if (typeof key !== 'string' || ofProcess.has(key)) continue;
    if (['report', 'mainModule'].includes(key)) replace(own, key, undefined);
    else if (getOwnPropertyDescriptor(own, key)?.get === undefined && typeof own[key] === 'function') replace(own, key, refused(`process.${key}`));
  }
}

/** Node reads modules by functions of its own from 22 on, so each is looked at; before, it does so by those of `fs`. */
function checkImports(toRead: (path: unknown) => string): void {
  registerHooks?.({
    load(url: string, context: unknown, next: (url: string, context: unknown) => unknown) {
      if (startsWith(url, 'file:')) toRead(new UrlOf(url));
      return next(url, context);
    },
  });
}
