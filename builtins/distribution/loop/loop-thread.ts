// A thread that sees that the server's loop stands still, and whose code it stands in: it goes on while nothing else of the process does.
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createMemoryGuard } from './memory-guard.ts';
import { openStack, type Stack } from './running-stack.ts';
import { beatWord, ownerWord } from './whose-time.ts';

/** What stands in {@link LoopThread.notePath} while somebody is to blame. */
export interface LoopNote {
  readonly pid: number;
  readonly start: string;
  readonly plugin: string;
  readonly content?: string;
  readonly what: 'stall' | 'memory';
  /** Of a stall, in seconds. */
  readonly seconds?: number;
  /** Of memory, in megabytes. */
  readonly fromMb?: number;
  readonly toMb?: number;
}

export interface LoopThread {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly notePath: string;
  readonly pid: number;
  readonly start: string;
  /** How often it looks, in milliseconds. */
  readonly tickMs: number;
  /** For so long the loop may stand still. */
  readonly longestMs: number;
  /** Of the heap of the server, in bytes: how much growth is worth a note. */
  readonly heapLimit: number;
  /** Nobody debugs the program, so this thread may stop it for a moment to read its stack. */
  readonly mayPause: boolean;
}

/** Who is there: by place in the words. */
export interface LoopNames {
  readonly plugins: readonly { readonly place: number; readonly name: string; readonly content?: string; readonly parts: readonly string[] }[];
}

/** The loop went on after it stood still. */
export interface LoopStall {
  readonly plugin: string;
  readonly ms: number;
  readonly where?: string;
}

/** The memory of the program grew while one plugin computed. */
export interface LoopGrowth {
  readonly grown: string;
  readonly fromMb: number;
  readonly toMb: number;
}

/** The person at the terminal hears of a stall that goes on; nobody else can be told anything then. */
const tellAfterMs = 10_000;
/** How often the note says for how long it has lasted. */
const noteEveryMs = 2_000;

function watchFromHere(port: MessagePort, { words, notePath, pid, start, tickMs, longestMs, heapLimit, mayPause }: LoopThread): void {
  let plugins: LoopNames['plugins'] = [];
  let beat = words[beatWord];
  let since = performance.now();
  /** Of the stall that lasts; the last one whose work ran in it. */
  let owner = 0;
  let stack: Stack | undefined;
  let culprit: { readonly name: string; readonly where?: string } | undefined;
  let notedAt = -Infinity;
  let isTold = false;
  let file: number | undefined;
  const memory = createMemoryGuard(words, heapLimit);
  /** What is known already of memory. */
  let told: ReturnType<typeof memory.look>;

  port.on('message', (names: LoopNames) => (plugins = names.plugins));
  setInterval(look, tickMs);

  function look(): void {
    const now = performance.now();
    const grown = memory.look(now);
    const stood = now - since;
    if (words[beatWord] !== beat) {
      if (stack || culprit) endStall(stood);
      beat = words[beatWord];
      since = now;
    } else if (stood > longestMs) {
      stack ??= openStack(mayPause);
      if ((words[ownerWord] ?? 0) > 0) owner = words[ownerWord] ?? 0;
      culprit ??= culpritNow(stack, owner);
      if (culprit) tellStall(culprit.name, stood, now);
    }
    const name = grown && nameAt(grown.place);
    if (name !== undefined && grown !== told) port.postMessage({ grown: name, fromMb: grown?.fromMb ?? 0, toMb: grown?.toMb ?? 0 } satisfies LoopGrowth);
    told = grown;
    if (name !== undefined) note({ plugin: name, what: 'memory', fromMb: grown?.fromMb ?? 0, toMb: grown?.toMb ?? 0 });
    else if (!culprit) unnote();
  }

  /** The file that stands in the stack names it; where nobody could read the stack, whoever was running by the books. */
  function culpritNow({ urls, isSilent }: Stack, place: number): typeof culprit {
    const isIn = (url: string): (typeof plugins)[number] | undefined => plugins.find(({ parts }) => parts.some((part) => url.includes(part)));
    for (const url of urls ?? []) {
      const found = isIn(url);
      if (found) return { name: found.name, where: basename(url) };
    }
    const name = isSilent() ? nameAt(place) : undefined;
    return name === undefined ? undefined : { name };
  }

  const nameAt = (place: number): string | undefined => plugins.find((one) => one.place === place)?.name;

  function tellStall(name: string, stood: number, now: number): void {
    if (now - notedAt >= noteEveryMs) {
      notedAt = now;
      note({ plugin: name, what: 'stall', seconds: Math.round(stood / 1_000) });
    }
    if (stood < tellAfterMs || isTold) return;
    isTold = true;
    // The streams of this thread go by the loop that stands still.
    writeSync(
      2,
      `Plugin '${name}' has kept the program from doing anything else for ${Math.round(stood / 1_000)} s. Once the program is ended, it starts without it.\n`,
    );
  }

  function endStall(stood: number): void {
    if (culprit) port.postMessage({ plugin: culprit.name, ms: stood, ...(culprit.where === undefined ? {} : { where: culprit.where }) } satisfies LoopStall);
    stack?.close();
    stack = undefined;
    culprit = undefined;
    owner = 0;
    notedAt = -Infinity;
    isTold = false;
  }

  function note(said: Omit<LoopNote, 'pid' | 'start' | 'content'>): void {
    const content = plugins.find(({ name }) => name === said.plugin)?.content;
    const text = JSON.stringify({ pid, start, ...said, ...(content === undefined ? {} : { content }) } satisfies LoopNote);
    try {
      file ??= openSync(notePath, 'w', 0o600);
      ftruncateSync(file, 0);
      writeSync(file, text, 0);
    } catch {
      // A home that cannot be written to is told by whoever has more to write.
    }
  }

  function unnote(): void {
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    rmSync(notePath, { force: true });
  }
}

if (parentPort) watchFromHere(parentPort, workerData as LoopThread);
