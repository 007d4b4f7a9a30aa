// Syncs the team's notes before and after turns, and implements the tool team_memory_sync.
import { countWithNoun } from '#lib/text';
import type { Services } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import type { NotesSync, SyncReport, SyncTarget } from 'agent-harness/builtins/account/notes-sync';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';

export interface TeamNotesParts {
  readonly notesSync: NotesSync;
  readonly target: SyncTarget;
  readonly settings: Services['settings'] | undefined;
  warn(message: string): void;
}

export interface TeamNotes {
  /** Called before a turn: waits only briefly; notes that arrive later apply to the next turn. Contract: never rejects. */
  pullSoon(chatId: string): Promise<void>;
  /** Called after a turn; not awaited. Contract: never rejects. */
  pushLater(chatId: string): Promise<void>;
  readonly tool: RunTool;
}

/** Maximum time, in milliseconds, that a turn waits for its team's notes. */
const waitMs = 250;
/** Time after a failure, in milliseconds, during which turns do not wait for notes. */
const cooldownMs = 30_000;
const variable = 'AGENT_TEAM_MEMORY_SYNC';

export function createTeamNotes({ notesSync, target, settings, warn }: TeamNotesParts): TeamNotes {
  let cooldownUntil = 0;

  async function runAll(chatId: string, options: Parameters<NotesSync['run']>[2]): Promise<SyncReport[]> {
    const reports: SyncReport[] = [];
    for (const place of await notesSync.placesOf(target, chatId)) reports.push(await notesSync.run(target, place, options));
    if (reports.some(({ problem }) => problem !== undefined)) cooldownUntil = Date.now() + cooldownMs;
    return reports;
  }

  const quietly = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (fault: unknown) => warn(`the team's notes could not be synced: ${String(fault)}`),
    );

  return {
    async pullSoon(chatId) {
      if (Date.now() < cooldownUntil) return;
      await withLimit(quietly(runAll(chatId, { direction: 'pull' })), waitMs, () => undefined);
    },
    async pushLater(chatId) {
      const work = async (): Promise<void> => {
        const field = (await settings?.read())?.fields.find(({ key }) => key === variable);
        await runAll(chatId, { isWanted: field !== undefined && field.source !== 'default' });
      };
      await quietly(work());
    },
    async tool(_: unknown, { chatId, signal }: ToolContext): Promise<ToolOutcome> {
      const reports = await runAll(chatId, { isAsked: true, signal });
      const [report] = reports;
      if (!report)
        return {
          ok: false,
          error: 'This workspace has no identity under which a team could share notes.',
          hint: 'Add a git remote, and start a new chat.',
        };
      const { pulled, pushed, problem } = report;
      if (problem !== undefined) return { ok: false, error: problem, hint: 'Nothing is lost: unsent notes are sent with the next sync.' };
      return { ok: true, output: `${countWithNoun(pulled, 'note')} received from the team, ${pushed} sent. recall_relevant finds them with their authors.` };
    },
  };
}
