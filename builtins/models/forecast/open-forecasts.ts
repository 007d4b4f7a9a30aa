// Assembles the parts of the forecast at the first turn.
import type { Emitter, Services } from 'agent-harness/kernel';
import type { SlashAnswer, SlashContext } from 'agent-harness/plugins/commands';
import type { Jobs } from 'agent-harness/plugins/schedule';
import type { ViewContribution } from 'agent-harness/plugins/views';
import { costView } from './cost-view.ts';
import { forecastText } from './describe-forecast.ts';
import { createForecaster, type Forecaster, type ForecasterParts } from './forecaster.ts';
import { openPastTurns, type PastTurns, type PastTurnsParts } from './past-turns.ts';

export interface OpenedForecasts {
  readonly past: PastTurns;
  readonly forecaster: Forecaster;
  readonly view: ViewContribution['read'];
  command(context: SlashContext): Promise<SlashAnswer>;
}

export interface ForecastParts extends Omit<PastTurnsParts, 'services'>, Pick<ForecasterParts, 'config'> {
  readonly services: Pick<Services, 'approvals' | 'chats' | 'eventLog' | 'journals' | 'models' | 'storage'> & { readonly jobs?: Jobs | undefined };
  readonly emitter: Pick<Emitter, 'emit'>;
}

/** The caller closes `past`. */
export function openForecasts({ services, config, emitter, ...of }: ForecastParts): OpenedForecasts {
  const past = openPastTurns({ services, ...of });
  const forecaster = createForecaster({ services, past, config, emitter });
  return {
    ...{ past, forecaster },
    view: costView({ services, forecaster, past }),
    async command({ args, chatId, workspaceRoot }) {
      if (args === '') return 'Say what you would send: /forecast <message>.';
      const { model } = await services.chats.peek(chatId);
      const found = await forecaster.of({ chatId, workspaceRoot, text: args, ...(model === undefined ? {} : { model }) });
      return found ? forecastText(found) : 'There are fewer than five turns to judge by; it can be said once there are.';
    },
  };
}
