// Creates personas: one run at a time. The request is stored until the run ends, and a result is activated only if it is complete.
import { join } from 'node:path';
import { messageOf } from '#lib/errors';
import { redactSecrets } from '#lib/secrets';
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import type { BootstrapStage, BootstrapState, BootstrapStatus, MadeSlice } from './contract.ts';
import type { KeptSlice, Revision } from './store/revision.ts';
import type { Revisions } from './store/revisions.ts';
import { makePersona, type MadePersona } from './make/make-persona.ts';
import type { PersonaParts } from './persona-parts.ts';

export interface Bootstrap {
  /** Resolves when the request is on disk; the run continues. Rejects with `running`. */
  begin(input: string): Promise<void>;
  /** Resolves when the choice is on disk. Rejects with `running` and `skip_not_allowed`. */
  skip(): Promise<void>;
  status(): Promise<BootstrapStatus>;
  /** Returns whether clients should ask the user. */
  isPending(): Promise<boolean>;
  /** Resumes the run of an earlier process; does nothing if this process has already started a run. */
  resume(): Promise<void>;
  /** Resolves when no run is active; with the error of the last run if it failed. */
  ended(): Promise<string | undefined>;
  /** Ends a run so that it is not resumed later. */
  cancel(): Promise<void>;
  /** Runs {@link Bootstrap.cancel} and resets the bootstrap. */
  forget(): Promise<void>;
  /** Ends a run; the next start resumes it. */
  end(): Promise<void>;
}

interface Wish {
  readonly input: string;
  /** Number of times that this run was started, each time by another process. */
  readonly tries: number;
}

/** A request that has crashed this many processes is not resumed automatically. */
const mostTries = 2;
/** Abort reason for a run that must not be resumed. */
const cancelled = Symbol('cancelled');
const isWish = (value: unknown): value is Wish => isRecord(value) && typeof value['input'] === 'string' && Number.isSafeInteger(value['tries']);

export function createBootstrap(parts: PersonaParts, folder: string, revisions: Revisions, changed: (revision: Revision) => void): Bootstrap {
  const { config, emitter, error, services } = parts;
  const wishPath = join(folder, 'wish.json');
  let running: { readonly abort: AbortController; readonly done: Promise<string | undefined>; stage: BootstrapStage; readonly input: string } | undefined;
  let isStarting = false;
  /** Whether a stored request belongs to this process. */
  let hasBegun = false;
  let lastError: string | undefined;
  let notice: string | undefined;
  /** Whether the user has answered; with the setting enabled, the question is asked again once per server run. */
  let wasAnswered = false;

  async function run(input: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const made = await makePersona(
        parts,
        input,
        (progress) => {
          if (running) running.stage = progress.stage;
          emitter.emit('persona_progress', progress);
        },
        signal,
      );
      emitter.emit('persona_progress', { stage: 'apply' });
      signal.throwIfAborted();
      const revision = await revisions.change((current, stamp) => nextRevision(current, made, input, stamp));
      await services.storage.remove(wishPath);
      wasAnswered = true;
      lastError = undefined;
      notice = made.notices.length === 0 ? undefined : `Parts were created without the model. ${made.notices.join(' ')}`;
      changed(revision);
      emitter.emit('persona_progress', { stage: 'done', ...(notice === undefined ? {} : { notice }) });
      return undefined;
    } catch (fault) {
      if (!signal.aborted) parts.log.error(`no persona was created: ${messageOf(fault)}`);
      // Removes the request before notifying, so that no run is resumed.
      if (signal.reason === cancelled) await services.storage.remove(wishPath).catch(() => undefined); // `cancel` retries and reports
      lastError = signal.aborted ? 'The run was ended.' : messageOf(fault);
      emitter.emit('persona_progress', { stage: 'failed', error: lastError });
      return lastError;
    } finally {
      running = undefined;
    }
  }

  async function start(wish: Wish): Promise<void> {
    if (running || isStarting) throw error('RUNNING');
    isStarting = hasBegun = true;
    try {
      await services.storage.writeJson(wishPath, wish);
      const abort = new AbortController();
      const signal = AbortSignal.any([abort.signal, parts.signal]);
      lastError = notice = undefined;
      running = { abort, stage: 'profile', input: wish.input, done: Promise.resolve().then(() => run(wish.input, signal)) };
    } finally {
      isStarting = false;
    }
  }

  const readWish = (): Promise<Wish | undefined> => services.storage.readJson(wishPath, isWish);

  async function end(why?: symbol): Promise<void> {
    running?.abort.abort(why);
    await running?.done;
  }

  async function cancel(): Promise<void> {
    await end(cancelled);
    await services.storage.remove(wishPath);
  }

  return {
    begin: (input) => start({ input, tries: 1 }),
    async skip() {
      if (running || isStarting) throw error('RUNNING');
      if (!config.canSkip) throw error('SKIP_NOT_ALLOWED');
      const revision = await revisions.change((current) =>
        current.bootstrap === 'pending' ? { ...current, by: 'skip', why: 'the user skipped the questions', bootstrap: 'skipped' } : undefined,
      );
      await services.storage.remove(wishPath);
      wasAnswered = true;
      changed(revision);
    },
    async status() {
      const { bootstrap, profile } = await revisions.current();
      const input = running?.input ?? (await readWish())?.input;
      const state: BootstrapState = running || isStarting ? 'running' : bootstrap;
      return {
        state,
        ...(input === undefined ? {} : { input }),
        ...(running ? { stage: running.stage } : {}),
        ...(lastError === undefined ? {} : { error: lastError }),
        ...(notice === undefined || !profile ? {} : { notice }),
      };
    },
    async isPending() {
      if (!config.isAsked) return false;
      if (config.isForced && !wasAnswered) return true;
      return (await revisions.current()).bootstrap === 'pending';
    },
    async resume() {
      const wish = hasBegun ? undefined : await readWish();
      if (wish && wish.tries < mostTries && !hasBegun) await start({ ...wish, tries: wish.tries + 1 });
    },
    ended: async () => running?.done ?? lastError,
    end: () => end(),
    cancel,
    async forget() {
      await cancel();
      lastError = notice = undefined;
      wasAnswered = false;
    },
  };
}

function nextRevision(
  current: Revision,
  { profile, slices, artifacts, notices }: MadePersona,
  input: string,
  { revision, at }: Pick<Revision, 'revision' | 'at'>,
): Omit<Revision, 'revision' | 'at'> {
  const said = { by: 'bootstrap', why: `created from "${oneLine(redactSecrets(input), 200)}"` } as const;
  const byRules = ['created by fixed rules', ...notices].join(': ');
  const made = Object.entries(slices).map(([name, slice]): [string, KeptSlice] => {
    const why = slice.source === 'scaffold' ? `${said.why}, ${byRules}` : said.why;
    return [name, { ...slice, ...said, why, revision, at }];
  });
  const living = current.slices.living ?? { text: '', source: 'learned', revision, at, ...said };
  return {
    ...{ ...said, bootstrap: 'done', profile, artifacts: { ...current.artifacts, ...artifacts } },
    slices: { ...(Object.fromEntries(made) as Record<MadeSlice, KeptSlice>), living },
  };
}
