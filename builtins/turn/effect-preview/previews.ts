// Runs a command on a stage, so that the approval can show its changes, and applies exactly those changes after the approval.
import { realpath } from 'node:fs/promises';
import type { Logger, Services } from 'agent-harness/kernel';
import type { TriableCommand } from 'agent-harness/builtins/tools/shell';
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import type { CheckpointContext } from 'agent-harness/builtins/turn/checkpoints';
import { createSerialQueue, createUnderWay } from '#lib/async';
import { messageOf } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { textEnd, textStart } from '#lib/text';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Rehearsal, ShownRehearsal } from 'agent-harness/plugins/policy';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { applyChanges, createApplyMark, whyStale } from './apply-changes.ts';
import { beginApplication, noteApplication } from './begun-application.ts';
import { showChanges } from './show-changes.ts';
import { openStage, type Stage } from './stage.ts';
import { CannotShow, readChanges, type TreeChange } from './tree-changes.ts';

export interface PreviewParts {
  readonly services: Pick<Services, 'checkpoints' | 'commandTrials' | 'exactFiles' | 'processes'> & { readonly steeringFiles?: SteeringFiles | undefined };
  /** Absolute path of the parent folder of stages. */
  readonly folder: string;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Previews {
  /** Returns `undefined` if the call runs no command. Contract: never rejects. */
  begin(call: ToolCall): Promise<Rehearsal | undefined>;
  /** Notes that the journal has the result of a call. */
  told(callId: string): void;
  /** Resolves when all previews are removed. */
  end(): Promise<void>;
}

/** Maximum time of a preview in milliseconds; after that, the user is asked without a preview. */
export const longestMs = 30_000;
const megabyte = 1024 * 1024;
const limits = { changes: 5_000, bytes: 64 * megabyte };
/** Limits for changes in `/tmp`, which are not shown: it contains caches of package managers. */
const tmpLimits = { changes: 20_000, bytes: 512 * megabyte };
/** A program that renames a folder fails on an overlay, so it might behave differently. */
const movesFolder = /EXDEV|cross-device link/i;

/** A result that an approval can apply. */
interface Ready {
  readonly stage: Stage;
  readonly workspace: string;
  readonly outcome: ToolOutcome;
  readonly changes: readonly TreeChange[];
  readonly tmpChanges: readonly TreeChange[];
}

export function createPreviews({ services, folder, signal: unloaded, log }: PreviewParts): Previews {
  const open = createUnderWay();
  const dropAll = new Set<() => Promise<void>>();
  /** By call: cleanup of an applied result that the journal does not have yet. */
  const told = new Map<string, () => Promise<void>>();
  let count = 0;

  async function run(command: TriableCommand, stage: Stage, workspace: string, stop: AbortSignal): Promise<Ready> {
    const late = AbortSignal.timeout(longestMs);
    const outcome = await command.run(stage.command, AbortSignal.any([stop, late]));
    if (stop.aborted) throw new CannotShow('It was not waited for.');
    if (late.aborted) throw new CannotShow(`It took longer than ${longestMs / 1000} s.`);
    if (!outcome.ok && movesFolder.test(outcome.error)) throw new CannotShow('It moves a folder in one step, which a copy over the workspace does not allow.');
    const [changes, tmpChanges] = await Promise.all([readChanges(stage.workspace, { ...limits, since: stage.since }), readChanges(stage.tmp, tmpLimits)]);
    return { stage, workspace, outcome, changes, tmpChanges };
  }

  function start(call: ToolCall, command: TriableCommand): Rehearsal {
    const dropped = new AbortController();
    let stage: Stage | undefined;
    const work = (async (): Promise<Ready> => {
      const workspace = await realpath(call.turn.workspaceRoot);
      stage = await openStage(workspace, command.tmp, { stages: folder, processes: services.processes, count: ++count });
      return run(command, stage, workspace, dropped.signal);
    })();
    const over = work.then(
      () => undefined,
      () => undefined,
    );
    const shown = work.then((ready) => show(ready, call.callId)).catch((fault: unknown): ShownRehearsal => ({ state: 'none', why: reasonOf(fault) }));
    let dropping: Promise<void> | undefined;
    const applications = createSerialQueue();

    function drop(): Promise<void> {
      dropped.abort();
      dropping ??= open.add(
        over
          .then(() => applications.idle())
          .then(() => stage?.drop())
          .catch((fault: unknown) => log.warn(`a rehearsal is left until the next start: ${messageOf(fault)}`)),
      );
      for (const stop of [call.turn.signal, unloaded]) stop.removeEventListener('abort', onAbort);
      dropAll.delete(drop);
      told.delete(call.callId);
      return dropping;
    }

    const onAbort = (): void => void drop();
    for (const stop of [call.turn.signal, unloaded]) stop.addEventListener('abort', onAbort, { once: true });
    dropAll.add(drop);
    if (call.turn.signal.aborted || unloaded.aborted) onAbort();
    // Drops a result that cannot be shown.
    void shown.then(({ state }) => (state === 'none' ? drop() : undefined));

    return {
      shown,
      drop,
      whyStale: () => work.then(({ changes, workspace }) => whyStale(changes, workspace, services.exactFiles)).catch(reasonOf),
      async apply(_args, context) {
        try {
          // Completes a started application, even if the turn is aborted.
          return await applications.run(() => apply(context));
        } finally {
          // The note of the application stays until the journal has the result, so that recovery after a kill can report it.
          told.set(call.callId, drop);
        }
      },
    };

    async function apply(context: CheckpointContext): Promise<ToolOutcome> {
      const { workspace, changes, tmpChanges, outcome, stage: from } = await work;
      // Also called without changes: the command will not run again outside of the stage.
      await services.checkpoints.contained(context);
      if (dropped.signal.aborted) return { ok: false, error: 'It was dropped before it was applied, so nothing was changed.' };
      const { chatId, turnId, callId } = context;
      const mark = createApplyMark();
      const parts = { exactFiles: services.exactFiles, mark };
      noteApplication(from.folder, { context: { chatId, turnId, callId }, workspace, tmp: from.tmp.base, mark, changes, tmpChanges });
      await applyChanges(changes, {
        ...{ ...parts, from: from.workspace.upper, to: workspace },
        async record(all) {
          await services.checkpoints.beforeAll(context, all);
          beginApplication(from.folder);
        },
      });
      // Only commands of this chat use this folder; another command may have changed it first.
      await applyChanges(tmpChanges, { ...parts, from: from.tmp.upper, to: from.tmp.base }).catch((fault: unknown) =>
        log.warn(`not all of what a command left in /tmp is there: ${messageOf(fault)}`),
      );
      return outcome;
    }
  }

  async function show({ stage, changes, outcome }: Ready, callId: string): Promise<ShownRehearsal> {
    const { checkpoints, steeringFiles } = services;
    const seen = await showChanges(changes, stage.workspace, { compare: checkpoints.compare, whySteers: (path) => steeringFiles?.why(path) });
    const shown = { state: 'ready' as const, ok: outcome.ok, output: shorten(outcome.ok ? outcome.output : outcome.error), ...seen };
    return { ...shown, id: sha256(JSON.stringify([callId, count, shown])).slice(0, 24) };
  }

  return {
    async begin(call) {
      if (unloaded.aborted) return undefined;
      const found = await services.commandTrials.look(call);
      if (!found) return undefined;
      return 'why' in found ? impossible(found.why) : start(call, found);
    },
    told(callId) {
      // Not awaited: unmounting takes longer than the call.
      void told.get(callId)?.();
    },
    async end() {
      await Promise.all([...dropAll].map((drop) => drop()));
      await open.idle();
    },
  };
}

function impossible(why: string): Rehearsal {
  return {
    shown: Promise.resolve({ state: 'none', why }),
    whyStale: () => Promise.resolve(why),
    apply: () => ({ ok: false, error: why }),
    drop: () => Promise.resolve(),
  };
}

const reasonOf = (fault: unknown): string => (fault instanceof CannotShow ? fault.message : `The copy could not be made or read: ${messageOf(fault)}`);

const shownOutput = 6_000;

/** Keeps the beginning and the end: errors are at the end. */
function shorten(text: string): string {
  if (text.length <= shownOutput) return text;
  const half = shownOutput / 2;
  return `${textStart(text, half)}\n[… ${text.length - shownOutput} characters omitted …]\n${textEnd(text, half)}`;
}
