// Assembles the parts at the first turn.
import type { Emitter } from 'agent-harness/kernel';
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { SlashAnswer, SlashContext } from 'agent-harness/plugins/commands';
import type { Models } from 'agent-harness/plugins/models';
import type { Approvals } from 'agent-harness/plugins/policy';
import type { Jobs } from 'agent-harness/plugins/schedule';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import type { ViewContribution } from 'agent-harness/plugins/views';
import { costView } from './cost-view.ts';
import { forecastText } from './describe-forecast.ts';
import { createForecaster, type Forecaster, type ForecasterParts } from './forecaster.ts';
import { openPastTurns, type PastTurns } from './past-turns.ts';

export interface OpenedForecasts {
  readonly past: PastTurns;
  readonly forecaster: Forecaster;
  readonly view: ViewContribution['read'];
  command(context: SlashContext): Promise<SlashAnswer>;
}

export interface ForecastParts extends Pick<ForecasterParts, 'config'> {
  readonly services: {
    readonly storage: Storage;
    readonly journals: JournalStore;
    readonly chats: Pick<Chats, 'peek' | 'folder' | 'trash'>;
    readonly eventLog: Pick<EventLog, 'read'>;
    readonly models: Pick<Models, 'routeNow' | 'usage'>;
    readonly approvals: Pick<Approvals, 'ask'>;
    readonly jobs?: Jobs | undefined;
  };
  readonly emitter: Pick<Emitter, 'emit'>;
  /** Absolute. */
  readonly folder: string;
  warn(cause: unknown): void;
}

/** The caller closes `past`. */
export function openForecasts({ services, config, emitter, folder, warn }: ForecastParts): OpenedForecasts {
  const { storage, journals, chats, models, approvals, eventLog, jobs } = services;
  const past = openPastTurns({ storage, journals, folder, gone: (ids) => goneChats(ids, chats, storage), onFault: warn });
  const forecaster = createForecaster({
    ...{ past, config, emitter },
    modelOf: async (model) => (await models.routeNow(model)).model,
    ask: ({ chatId, turnId, signal, waiting }, prompt, options) =>
      approvals.ask({ prompt, options }, { chatId, turnId, callId: storage.createId('call'), signal, waiting }),
  });
  return {
    ...{ past, forecaster },
    view: costView({ models, eventLog, forecaster, past, jobs: () => jobs?.list() ?? [] }),
    async command({ args, chatId, workspaceRoot }) {
      if (args === '') return 'Say what you would send: /forecast <message>.';
      const { model } = await chats.peek(chatId);
      const found = await forecaster.of({ chatId, workspaceRoot, text: args, ...(model === undefined ? {} : { model }) });
      return found ? forecastText(found) : 'There are fewer than five turns to judge by; it can be said once there are.';
    },
  };
}

/**
 * Returns those of these chats that are neither here, readable or not, nor in the trash. A turn waits for it: no chat is opened, and the trash is read only if
 * one is not here.
 */
async function goneChats(ids: Iterable<string>, chats: Pick<Chats, 'folder' | 'trash'>, storage: Pick<Storage, 'has'>): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  await Promise.all(Array.from(ids, async (id) => ((await storage.has(chats.folder(id))) ? undefined : missing.add(id))));
  if (missing.size > 0) for (const { chatId } of await chats.trash()) missing.delete(chatId);
  return missing;
}
