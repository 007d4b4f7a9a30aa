// Opens the files and checkpoints plugins with stubs for chats, storage and turns.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import type { UndoReply, Checkpoints } from '../../../../builtins/turn/checkpoints/contract.ts';
import * as checkpoints from '../../../../builtins/turn/checkpoints/index.ts';
import * as files from '../../../../builtins/tools/files/index.ts';
import { openToolBench, type ToolBench } from '../files/tool-bench.ts';

export interface UndoBench extends ToolBench {
  readonly checkpoints: Checkpoints;
  readonly chatFolder: string;
  busy: boolean;
  undo(turnId?: string): Promise<UndoReply>;
}

export async function openUndoBench(services: Partial<Services> = {}): Promise<UndoBench> {
  const place: { bench?: UndoBench } = {};
  const folder = (): string => join(place.bench?.home ?? '', 'chats', 'chat_1');
  const chats = {
    folder,
    get: (chatId = 'chat_1') => Promise.resolve({ chatId, workspaceRoot: place.bench?.workspace }),
  } as unknown as Services['chats'];
  const storage = {
    readText: (path: string) => readFile(path, 'utf8').catch(() => undefined),
    atOnce: { write: () => undefined, remove: () => undefined, list: () => [] },
    isId: () => true,
    async writeFile(path: string, content: string | Uint8Array, options?: { mode?: number }) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { mode: options?.mode ?? 0o600 });
    },
  } as unknown as Services['storage'];
  const eventLog = { read: () => (async function* () {})() } as unknown as Services['eventLog'];
  const turns = { isBusy: () => place.bench?.busy ?? false } as unknown as Services['turns'];
  const opened = await openToolBench({ modules: { files, checkpoints }, services: { chats, eventLog, storage, turns, ...services } });
  const service = opened.kernel.resolve('checkpoints');
  const bench: UndoBench = Object.assign(opened, {
    checkpoints: service,
    chatFolder: join(opened.home, 'chats', 'chat_1'),
    busy: false,
    undo: (turnId?: string) => service.undo('chat_1', turnId),
  });
  place.bench = bench;
  return bench;
}
