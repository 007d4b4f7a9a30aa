// Creates the modules of the forecast when the first turn starts.
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

/** Creates the modules; the caller must close `past`. */
export function openForecasts({ services, config, emitter, ...of }: ForecastParts): OpenedForecasts {
  const past = openPastTurns({ services, ...of });
  const forecaster = createForecaster({ services, past, config, emitter });
  return {
    ...{ past, forecaster },
    view: costView({ services, forecaster, past }),
    async command({ args, chatId, workspaceRoot }) {
      if (args === '') return 'Enter the message whose cost you want to estimate: /forecast <message>.';
      const { model } = await services.chats.peek(chatId);
      const found = await forecaster.of({ chatId, workspaceRoot, text: args, ...(model === undefined ? {} : { model }) });
      return found ? forecastText(found) : 'There is no forecast yet: forecasts need at least five completed turns.';
    },
  };
}
