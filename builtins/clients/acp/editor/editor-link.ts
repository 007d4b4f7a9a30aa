// Connects `app acp` to the server, which reads and writes files through the editor and runs commands in its terminals.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { TerminalCommand, TerminalEnd } from 'agent-harness/builtins/tools/shell';
import { createSerialQueue, withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import { isWithin, wayFrom } from '#lib/paths';
import { textStart } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import type { Abilities } from '../abilities.ts';
import type { Peer } from '../wire/peer.ts';
import type { CommandParts } from './run-command.ts';
import { editorPath, longestFrame, type FromEditor } from './editor-frames.ts';

export interface EditorLink {
  /** Selects this editor for the chat. Rejects if the server refuses. @param folders paths as reported by the editor */
  lead(chatId: string, folders: readonly string[]): Promise<void>;
  leave(chatId: string): void;
  close(): void;
}

export interface EditorLinkOptions {
  readonly abilities: Pick<Abilities, 'readsFiles' | 'writesFiles' | 'runsCommands'>;
  readonly peer: Pick<Peer, 'request'>;
  readonly show: CommandParts['show'];
  /** Returns the server's current origin, such as `http://127.0.0.1:3001`. */
  origin(): string;
  token(): Promise<string>;
}

type Frame = Readonly<Record<string, unknown>>;
type Given = { readonly text: string } | TerminalEnd;

interface Folder {
  readonly real: string;
  readonly named: string;
}

interface Line {
  send(frame: FromEditor): void;
  /** Resolves when the server has selected this editor for the chat. */
  led(chatId: string): Promise<void>;
  close(): void;
}

/** Time limit for the server to select this editor, in milliseconds. */
const patienceMs = 10_000;
const longestFault = 1_000;
const notUnderstood = 'it runs another version of this program.';

export function createEditorLink({ abilities, peer, show, origin, token }: EditorLinkOptions): EditorLink {
  const folders = new Map<string, readonly Folder[]>();
  const { run: inTurn } = createSerialQueue();
  let line: Line | undefined;
  let isClosed = false;

  async function open(): Promise<Line> {
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(`${origin().replace(/^http/, 'ws')}${editorPath}`, {
      headers: { authorization: `Bearer ${await token()}` },
      maxPayload: longestFrame,
    });
    const asked = new Map<number, AbortController>();
    const waiting = new Map<string, { resolve(): void; reject(fault: Error): void }[]>();
    const own: Line = {
      send: (frame) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(frame)),
      led: (chatId) => new Promise((resolve, reject) => waiting.set(chatId, [...(waiting.get(chatId) ?? []), { resolve, reject }])),
      close: () => socket.close(),
    };
    socket.on('message', (content: Buffer) => {
      const frame = jsonOf(String(content));
      if (!isRecord(frame)) return;
      if (typeof frame['led'] === 'string') {
        waiting.get(frame['led'])?.forEach(({ resolve }) => resolve());
        waiting.delete(frame['led']);
      }
      if (typeof frame['stop'] === 'number') asked.get(frame['stop'])?.abort();
      if (typeof frame['ask'] === 'number') void answer(own, frame['ask'], asked, (signal) => giveText(frame, signal));
      if (typeof frame['run'] === 'number') void answer(own, frame['run'], asked, (signal) => giveEnd(frame, signal));
    });
    socket.once('close', () => {
      if (line === own) line = undefined;
      for (const controller of asked.values()) controller.abort();
      for (const { reject } of [...waiting.values()].flat()) reject(new Error('The connection to the server is lost.'));
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.on('error', reject);
    });
    return own;
  }

  /** Forwards the editor's refusal. A refused operation is not attempted by other means. */
  async function answer(own: Line, id: number, asked: Map<number, AbortController>, work: (signal: AbortSignal) => Promise<Given>): Promise<void> {
    const controller = new AbortController();
    asked.set(id, controller);
    try {
      const given = await work(controller.signal);
      own.send('text' in given ? { reply: id, text: given.text } : { ran: id, ...given });
    } catch (fault) {
      own.send({ reply: id, fault: textStart(messageOf(fault), longestFault) });
    } finally {
      asked.delete(id);
    }
  }

  async function giveText({ chatId, path, text }: Frame, signal: AbortSignal): Promise<Given> {
    if (typeof chatId !== 'string' || typeof path !== 'string') throw new Error(notUnderstood);
    const params = { sessionId: chatId, path: asNamed(path, folders.get(chatId) ?? []) };
    if (typeof text === 'string') {
      await peer.request('fs/write_text_file', { ...params, content: text }, signal);
      return { text: '' };
    }
    const reply = await peer.request('fs/read_text_file', params, signal);
    const content = isRecord(reply) ? reply['content'] : undefined;
    if (typeof content !== 'string') throw new Error('its reply has no text.');
    return { text: content };
  }

  async function giveEnd({ chatId, command }: Frame, signal: AbortSignal): Promise<Given> {
    if (typeof chatId !== 'string' || !isRecord(command)) throw new Error(notUnderstood);
    const { runCommand } = await import('./run-command.ts');
    return runCommand({ peer, show }, chatId, command as unknown as TerminalCommand, signal);
  }

  return {
    lead: (chatId, given) =>
      inTurn(async () => {
        if (!abilities.readsFiles && !abilities.writesFiles && !abilities.runsCommands) return;
        const real = await Promise.all(given.map(async (named) => ({ named, real: await realpath(named).catch(() => named) })));
        folders.set(chatId, real);
        line ??= await open();
        if (isClosed) return line.close();
        const led = line.led(chatId);
        line.send({
          lead: chatId,
          reads: abilities.readsFiles,
          writes: abilities.writesFiles,
          runs: abilities.runsCommands,
          // Names of the editor's environment variables, which this process inherited.
          variables: abilities.runsCommands ? Object.keys(process.env).filter((name) => /^\w{1,200}$/.test(name)) : [],
          folders: real.map((one) => one.real),
        });
        await withLimit(led, patienceMs, () => {
          throw new Error('The server does not respond.');
        });
      }),
    leave(chatId) {
      if (folders.delete(chatId)) line?.send({ leave: chatId });
    },
    close() {
      isClosed = true;
      line?.close();
    },
  };
}

/** Editors identify a file by the folder that they opened, which may be a symbolic link. */
function asNamed(path: string, folders: readonly Folder[]): string {
  const found = folders.find(({ real }) => isWithin(real, path));
  const way = found && wayFrom(found.real, path);
  return found && way !== undefined && !isAbsolute(way) ? join(found.named, way) : path;
}
