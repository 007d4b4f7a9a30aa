// Reads views and runs their actions: checks permissions and results, and runs the code in the context of its plugin.
import type { Emitter, KernelControl, KernelError } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { codeOf, messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import type { Http, Permission } from 'agent-harness/plugins/http';
import type { View, ViewAction, ViewAsker, ViewContext, ViewFile, Views } from './contract.ts';
import { rowOf, type OwnedView, type ViewRegistry } from './view-registry.ts';
import type { ViewChecks } from './check-view.ts';
import { limits } from './view-schema.ts';
import { actionsOf, rowsOf, usageOfFields } from './view-texts.ts';

export type ViewReason = 'NOT_FOUND' | 'FORBIDDEN' | 'BROKEN' | 'FAILED' | 'NO_ACTION' | 'WRONG_INPUT' | 'WRONG_PARAMETER';

export interface ViewServiceParts {
  readonly registered: ViewRegistry;
  readonly emitter: Emitter;
  readonly kernel: Pick<KernelControl, 'runAs'>;
  permits(principal: NonNullable<ViewAsker['principal']>, permission: Permission | undefined): ReturnType<Http['permits']>;
  error(reason: ViewReason, details: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
}

const readMs = 10_000;
const actMs = 120_000;
/** Maximum size of a file that an action returns, in bytes. */
const maxFileBytes = 32 * 1024 * 1024;

/** Creates the service. @param load loads the checks with the first view */
export function createViewService({ registered, emitter, kernel, permits, error }: ViewServiceParts, load: () => Promise<ViewChecks>): Views {
  function find(name: string, asker: ViewAsker, permission: 'permission' | 'actPermission'): OwnedView {
    const owned = registered.find(name);
    if (!owned) throw error('NOT_FOUND', { name });
    if (asker.principal && !permits(asker.principal, owned.view[permission])) throw error('FORBIDDEN', { name });
    return owned;
  }

  /** Runs code of a plugin with a time limit. Errors in the plugin's table are passed on unchanged; other errors are faults of the plugin. */
  async function run<T>({ view: { name }, plugin }: OwnedView, ms: number, work: () => T | Promise<T>): Promise<T> {
    const late = (): never => {
      throw new Error(`the plugin did not respond within ${ms / 1_000} s`);
    };
    try {
      return await withLimit(
        kernel.runAs(plugin, async () => work(), 'view'),
        ms,
        late,
      );
    } catch (fault) {
      if (isOwn(fault)) throw fault;
      throw error('FAILED', { name, plugin, why: messageOf(fault) }, fault);
    }
  }

  async function contextOf({ view: { name, parameters: input }, plugin }: OwnedView, asker: ViewAsker, given: unknown): Promise<ViewContext> {
    const checks = await load();
    const fault = input && checks.findInputFault(input);
    if (fault !== undefined) throw error('BROKEN', { name, plugin, why: fault });
    const filled = checks.fillIn({ id: name, ...(input ? { input } : {}) }, input ? checks.readTexts(input, given) : given);
    if ('values' in filled) return { ...asker, parameters: filled.values };
    throw error('WRONG_PARAMETER', { name, why: filled.problem, takes: input ? usageOfFields(input) : 'none' });
  }

  async function checked({ view: { name, title, parameters: input }, plugin }: OwnedView, given: unknown, values: ViewContext['parameters']): Promise<View> {
    const why = (await load()).findFault(given);
    if (why !== undefined) throw error('BROKEN', { name, plugin, why });
    return { title, ...(given as View), name, ...(input ? { parameters: { input, values } } : {}) };
  }

  const readOwned = async (owned: OwnedView, context: ViewContext): Promise<View> =>
    checked(owned, await run(owned, readMs, () => owned.view.read(context)), context.parameters);

  function findAction(view: View, id: string, row: string | undefined): ViewAction | undefined {
    const described = actionsOf(view).find(({ action }) => action.id === id);
    if (row === undefined) return described && !described.isOfRow ? described.action : undefined;
    return rowsOf(view)
      .find((one) => one.id === row)
      ?.actions.find((one) => one.id === id);
  }

  const views: Views = {
    list: (caller) =>
      registered
        .all()
        .filter(({ view }) => !caller || permits(caller, view.permission))
        .map(rowOf),
    async read(name, asker, parameters) {
      const owned = find(name, asker, 'permission');
      return readOwned(owned, await contextOf(owned, asker, parameters));
    },
    async act(name, { action: id, row, input, parameters }, asker) {
      const owned = find(name, asker, 'actPermission');
      const context = await contextOf(owned, asker, parameters);
      const before = await readOwned(owned, context);
      const action = findAction(before, id, row);
      const { act } = owned.view;
      if (!action || !act) throw error('NO_ACTION', { name, action: id });
      const filled = (await load()).fillIn(action, input);
      if ('problem' in filled) throw error('WRONG_INPUT', { name, action: id, why: filled.problem });
      const answer = await run(owned, actMs, () => act.call(owned.view, { action: id, ...(row === undefined ? {} : { row }), input: filled.values }, context));
      if (owned.view.changesNothing !== true && action.changesNothing !== true) views.changed(name);
      if (isRecord(answer) && 'blocks' in answer) return { view: await checked(owned, answer, context.parameters) };
      const message = isRecord(answer) && typeof answer['message'] === 'string' ? textStart(answer['message'], 1_000) : undefined;
      const file = isRecord(answer) ? answer['file'] : undefined;
      if (file !== undefined && !isFile(file))
        throw error('BROKEN', { name, plugin: owned.plugin, why: 'its file has an invalid name, or a text that is too long' });
      return { view: await readOwned(owned, context), ...(message === undefined ? {} : { message }), ...(file === undefined ? {} : { file }) };
    },
    changed: (name, chatId) => emitter.emit('view_changed', { name, ...(chatId === undefined ? {} : { chatId }) }),
    check: async (view, isKept = false) => (await load()).findFault(view, isKept ? limits.kept : limits.whole),
  };
  return views;
}

function isFile(file: unknown): file is ViewFile {
  if (!isRecord(file) || typeof file['name'] !== 'string' || typeof file['text'] !== 'string') return false;
  return /^[\w-][\w.-]{0,99}$/.test(file['name']) && Buffer.byteLength(file['text']) <= maxFileBytes;
}

/** Returns whether the error belongs to a plugin's table, and therefore has a message for users; a system error does not. */
function isOwn(fault: unknown): boolean {
  return /_ERR_/.test(codeOf(fault) ?? '');
}
