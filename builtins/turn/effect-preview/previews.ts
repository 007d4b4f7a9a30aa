// Runs a command on a preview stage, so that the approval request can show its changes, and applies exactly those changes after the approval.
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
import { beginApplication, noteApplication } from './application-record.ts';
import { showChanges } from './show-changes.ts';
import { openStage, type Stage } from './stage.ts';
import { CannotShow, isOfGit, readChanges, type TreeChange } from './tree-changes.ts';

export interface PreviewParts {
  readonly services: Pick<Services, 'checkpoints' | 'commandTrials' | 'exactFiles' | 'processes'> & { readonly steeringFiles?: SteeringFiles | undefined };
  /** Absolute path of the parent folder of stages. */
  readonly folder: string;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Previews {
  /** Starts the preview of a call; resolves with `undefined` if the call runs no command. Contract: never rejects. */
  begin(call: ToolCall): Promise<Rehearsal | undefined>;
  /** Called when the journal contains the result of a call: removes its stage. */
  journaled(callId: string): void;
  /** Resolves when all previews are removed. */
  end(): Promise<void>;
}

/** Maximum duration of a preview in milliseconds; a longer one is discarded, and the approval request has no preview. */
export const longestMs = 30_000;
const megabyte = 1024 * 1024;
const limits = { changes: 5_000, bytes: 64 * megabyte };
/** Limits for changes in `/tmp`. These changes are not displayed, because the folder contains caches of package managers. */
const tmpLimits = { changes: 20_000, bytes: 512 * megabyte };
/** Matches the error of a program that renames a folder. Renaming fails on an overlay, so the command might behave differently outside it. */
const movesFolder = /EXDEV|cross-device link/i;

/** The result of a preview that an approval can apply. */
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
  /** Maps calls to the cleanup of an applied result, until the journal contains the result. */
  const cleanups = new Map<string, () => Promise<void>>();
  let count = 0;

  async function run(command: TriableCommand, stage: Stage, workspace: string, stop: AbortSignal): Promise<Ready> {
    const late = AbortSignal.timeout(longestMs);
    const outcome = await command.run(stage.command, AbortSignal.any([stop, late]));
    if (stop.aborted) throw new CannotShow('The preview was cancelled.');
    if (late.aborted) throw new CannotShow(`The preview took longer than ${longestMs / 1000} s.`);
    if (!outcome.ok && movesFolder.test(outcome.error)) throw new CannotShow('The command renames a folder, which the preview does not support.');
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
          .catch((fault: unknown) => log.warn(`a preview copy could not be removed, so the next start removes it: ${messageOf(fault)}`)),
      );
      for (const stop of [call.turn.signal, unloaded]) stop.removeEventListener('abort', onAbort);
      dropAll.delete(drop);
      cleanups.delete(call.callId);
      return dropping;
    }

    const onAbort = (): void => void drop();
    for (const stop of [call.turn.signal, unloaded]) stop.addEventListener('abort', onAbort, { once: true });
    dropAll.add(drop);
    if (call.turn.signal.aborted || unloaded.aborted) onAbort();
    // Removes a result that cannot be displayed.
    void shown.then(({ state }) => (state === 'none' ? drop() : undefined));

    return {
      shown,
      drop,
      whyStale: () => work.then(({ changes, workspace }) => whyStale(changes, workspace, services.exactFiles)).catch(reasonOf),
      async apply(_args, context) {
        try {
          // Once started, applying the changes is completed even if the turn is aborted.
          return await applications.run(() => apply(context));
        } finally {
          // The stored data stays until the journal contains the result, so that recovery after a kill can report it.
          cleanups.set(call.callId, drop);
        }
      },
    };

    async function apply(context: CheckpointContext): Promise<ToolOutcome> {
      const { workspace, changes, tmpChanges, outcome, stage: from } = await work;
      // Also called if there are no changes, because the command will not run again outside the stage.
      if (!changes.some(({ path }) => isOfGit(path))) await services.checkpoints.contained(context);
      if (dropped.signal.aborted) return { ok: false, error: 'The preview was removed before its changes were applied, so nothing was changed.' };
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
        log.warn(`the changes of a command in /tmp are incomplete: ${messageOf(fault)}`),
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
    journaled(callId) {
      // Not awaited, because unmounting takes longer than the call.
      void cleanups.get(callId)?.();
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

const reasonOf = (fault: unknown): string =>
  fault instanceof CannotShow ? fault.message : `The preview copy could not be created or read: ${messageOf(fault)}`;

const shownOutput = 6_000;

/** Keeps the beginning and the end of a text, because errors are at the end. */
function shorten(text: string): string {
  if (text.length <= shownOutput) return text;
  const half = shownOutput / 2;
  return `${textStart(text, half)}\n[… ${text.length - shownOutput} characters omitted …]\n${textEnd(text, half)}`;
}
