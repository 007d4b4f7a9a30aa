// Implements the command `desktop`: shows the window of the running server, or runs a server until the window is closed.
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { codeOf, messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import type { CliCommand, CliOutput } from 'agent-harness/plugins/commands';
import type { Turns } from 'agent-harness/plugins/agent';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Stream } from 'agent-harness/plugins/stream';
import { askForWindow } from './request-window.ts';
import type { MakeError, OwnedDesktopWindow, WindowPorts } from './desktop-window.ts';
import { hasSandbox } from './launch-window.ts';
import { notify } from './external-links.ts';
import { browserEnvironment, screenOf } from './screen.ts';

export interface CommandParts {
  readonly services: WindowPorts['services'] & { readonly storage: Storage; readonly turns?: Turns | undefined; readonly stream?: Stream | undefined };
  readonly window: OwnedDesktopWindow;
  /** Path of the file that stores the address of the last run. */
  readonly memoryPath: string;
  readonly makeError: MakeError;
}

type Input = Parameters<CliCommand['run']>[0];

const pollMs = 100;
/** Maximum wait for another server that is starting or stopping, in milliseconds. */
const patienceMs = 10_000;

export async function runDesktop(parts: CommandParts, { positionals, options, signal }: Input, output: CliOutput): Promise<number> {
  const { product } = parts.services;
  if (options['install'] === true || options['uninstall'] === true) {
    const { install, uninstall } = await import('./install.ts');
    return (options['install'] === true ? install : uninstall)(product, output);
  }
  try {
    const chatId = chatOf(parts, positionals[0], options['chat']);
    return await show(parts, chatId, signal, output);
  } catch (fault) {
    // When started from a menu, the program has no terminal that could show the error.
    if (!output.isTerminal) logText(parts, messageOf(fault));
    throw fault;
  }
}

async function show(parts: CommandParts, chatId: string | undefined, signal: AbortSignal, output: CliOutput): Promise<number> {
  const { product } = parts.services;
  const screen = screenOf(process.env);
  const end = performance.now() + patienceMs;
  for (;;) {
    const answer = await askForWindow(parts.services, { ...(chatId === undefined ? {} : { chatId }), environment: screen });
    if (answer) {
      output.out(`The window of ${product.title} is open; its server runs at ${answer.url} (process ${answer.pid}).\n`);
      return 0;
    }
    try {
      parts.window.expect();
      await listen(parts);
      break;
    } catch (fault) {
      // Another process is starting or has not ended yet.
      if (codeOf(fault) !== 'CHATS_ERR_HOME_IN_USE' || performance.now() > end || signal.aborted) throw fault;
      await delay(pollMs);
    }
  }
  try {
    return await stay(parts, chatId, signal, output);
  } finally {
    await parts.services.http.close();
  }
}

/** Prefers the port of the last run, because the browser's storage is bound to the address of the page. */
async function listen({ services: { http, storage }, memoryPath }: CommandParts): Promise<void> {
  const isMemory = (value: unknown): value is { port: number } =>
    typeof value === 'object' && value !== null && 'port' in value && Number.isInteger(value.port);
  const { port = 0 } = (await storage.readJson(memoryPath, isMemory)) ?? {};
  const host = '127.0.0.1';
  const address = await http.listen({ host, port }).catch((fault: unknown) => {
    if (port === 0 || !/_(PORT_IN_USE|LISTEN_FAILED)$/.test(codeOf(fault) ?? '')) throw fault;
    return http.listen({ host, port: 0 });
  });
  if (address.port !== port) await storage.writeJson(memoryPath, { port: address.port });
}

/** Resolves with the exit code once the window is closed and no turn is running, or once the signal is aborted. */
async function stay(parts: CommandParts, chatId: string | undefined, signal: AbortSignal, output: CliOutput): Promise<number> {
  const { product, http } = parts.services;
  const opened = await openUntil(parts, chatId, signal);
  if (!opened) return 0;
  output.out(`${product.title} is open in its own window; its server is ${http.address()?.url ?? ''}\n`);
  if (!hasSandbox)
    output.out(`The browser runs without its sandbox, because it is started as root; run '${product.command ?? product.name}' as another user to enable it.\n`);
  let current = opened;
  const stop = parts.window.watch((window) => (current = window));
  try {
    while (!signal.aborted) {
      await untilEither(current.closed, signal);
      await untilUnused(parts, signal, output);
      if (current.closed.aborted) break;
    }
  } finally {
    stop();
    await parts.window.close();
  }
  return 0;
}

/** Resolves with `undefined` if the signal is aborted before the window is open. */
async function openUntil({ window }: CommandParts, chatId: string | undefined, signal: AbortSignal): Promise<OpenWindow | undefined> {
  const end = (): void => void window.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    return signal.aborted ? undefined : await window.open(chatId === undefined ? {} : { chatId });
  } catch (fault) {
    if (signal.aborted) return undefined;
    throw fault;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Waits until no turn is running and no client reads a stream, or until a window opens again. Prints the reason for waiting once. */
async function untilUnused(parts: CommandParts, signal: AbortSignal, output: CliOutput): Promise<void> {
  const { turns, stream, product } = parts.services;
  let hasSaid = false;
  // The page disconnects from the stream shortly after its window has closed.
  for (let looks = 0; !signal.aborted && !parts.window.current(); looks++) {
    const why = whyBusy(turns, looks < 5 ? undefined : stream);
    if (why === undefined && (stream?.clients ?? 0) === 0) return;
    if (why !== undefined && !hasSaid) {
      hasSaid = true;
      const again = `'${product.command ?? product.name} desktop' opens the window again`;
      output.out(`The window is closed. ${why}, so the server continues until that is over; ${again}, Ctrl+C ends everything.\n`);
      logText(parts, `${why}, so the server continues without its window until that is over. ${again}.`);
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined); // aborted: the loop checks the signal itself
  }
}

function whyBusy(turns: Turns | undefined, stream: Stream | undefined): string | undefined {
  const busy = turns?.statuses().filter((status) => status.busy) ?? [];
  if (busy.some(({ waitingFor }) => waitingFor === 'approval' || waitingFor === 'answer')) return 'A turn waits for your answer';
  if (busy.length > 0) return busy.length === 1 ? 'A turn is still running' : `${busy.length} turns are still running`;
  return stream && stream.clients > 0 ? 'Another page or terminal is still connected' : undefined;
}

function logText({ services: { product } }: CommandParts, text: string): void {
  notify(product.title, text, browserEnvironment(process.env, {}));
}

function untilEither(...signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return Promise.resolve();
  return new Promise((resolve) => signals.forEach((signal) => signal.addEventListener('abort', () => resolve(), { once: true })));
}

/** @param link `app://chat/<id>`; the desktop environment passes it when the user clicks a link */
function chatOf({ services: { product }, makeError }: CommandParts, link: string | undefined, option: string | boolean | undefined): string | undefined {
  const start = `${product.name}://`;
  if (link !== undefined && !link.startsWith(start)) throw makeError('LINK_UNKNOWN', { link: textStart(link, 200), start });
  const [page, id] = (link ?? '').slice(start.length).split('/');
  const chatId = typeof option === 'string' ? option : page === 'chat' && id ? id : undefined;
  if (chatId !== undefined && !/^[\w-]{1,100}$/.test(chatId)) throw makeError('LINK_UNKNOWN', { link: textStart(chatId, 200), start });
  return chatId;
}
