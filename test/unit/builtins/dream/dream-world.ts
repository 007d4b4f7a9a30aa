// Starts a real server with dreams, chats to read and a scripted model.
import type { DreamRun } from '../../../../builtins/background/dream/contract.ts';
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';
import { startMemory, type MemoryWorld, type MemoryWorldOptions } from '../memory/memory-world.ts';

export interface DreamWorld extends MemoryWorld {
  chat(...texts: readonly string[]): Promise<string>;
  said(chatId: string): Promise<{ readonly entryId: string; readonly text: string }[]>;
  answers(reply: unknown): void;
  asked(): string[];
  run(): Promise<any>;
  undo(runId?: string): Promise<any>;
  runs(): Promise<any[]>;
  list(show?: string): Promise<any[]>;
}

export const isDream = ({ body }: { body: any }): boolean => JSON.stringify(body.messages[0]).includes('notes while it is idle');
const builtins = ['memory', 'evidence-gates', 'dream', 'model-chat-completions', 'files'];

/** The caller must close it. */
export async function startDreams({ script = [], ...options }: MemoryWorldOptions = {}): Promise<DreamWorld> {
  const queue: unknown[] = [];
  const dreams: string[] = [];
  const scripted = Array.isArray(script) ? [...(script as ScriptedReply[])] : [];
  const world = await startMemory({
    builtins,
    ...options,
    script: (request) => {
      if (!isDream(request)) return scripted.shift() ?? { text: 'Noted.' };
      dreams.push(JSON.stringify(request.body.messages));
      const next = queue.shift() ?? { summary: '', upserts: [], deletes: [] };
      return typeof next === 'function' ? (next as () => ScriptedReply)() : { text: typeof next === 'string' ? next : JSON.stringify(next) };
    },
  });
  const { kernel } = world.harness;
  return {
    ...world,
    async chat(...texts) {
      const { chatId } = await kernel.resolve('chats').create({ workspaceMode: 'folder', workspaceRoot: world.place.workspaceRoot });
      for (const text of texts) {
        const { turnId } = await kernel.resolve('turns').submit({ chatId, text });
        await kernel.resolve('turns').ended(turnId);
      }
      return chatId;
    },
    async said(chatId) {
      const entries = await kernel.resolve('evidenceGates').entries(chatId);
      return entries
        .filter(({ by }) => by === 'user')
        .map(({ entryId, text }) => ({ entryId, text }))
        .reverse();
    },
    answers: (reply) => void queue.push(reply),
    asked: () => dreams,
    run: async () => (await world.call('POST', '/api/dreams', {})).body,
    undo: async (runId) => (await world.call('POST', '/api/dreams/undo', runId === undefined ? {} : { runId })).body,
    runs: async () => (await world.call('GET', '/api/dreams')).body.runs as DreamRun[],
    list: async (show = 'active') => (await world.call('GET', `/api/memory?show=${show}&limit=500`)).body.notes,
  };
}

export const upsert = (chatId: string, entry: { readonly entryId: string; readonly text: string } | undefined, note: object): object => ({
  ...{ key: 'k', scope: 'global', evidence: [{ chatId, entryId: entry?.entryId, quote: entry?.text }] },
  ...note,
});
