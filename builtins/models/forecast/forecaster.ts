// Forecasts the cost of turns before they start, reports turns that exceed their forecast, and records the actual cost.
import type { Emitter, Services } from 'agent-harness/kernel';
import type { Interception, Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { UsageRow } from 'agent-harness/plugins/models';
import { lazy } from '#lib/async';
import { BoundedMap } from '#lib/values';
import type { Forecast, ForecastUnit, TurnForecast } from './contract.ts';
import { amountText, forecastText } from './describe-forecast.ts';
import { forecast, unitFor, wordsOf, type Task } from './likely-cost.ts';
import type { PastTurn } from './history.ts';
import type { PastTurns } from './past-turns.ts';

export interface ForecasterParts {
  readonly services: Pick<Services, 'approvals' | 'models' | 'storage'>;
  readonly past: PastTurns;
  /** Live values of the settings. */
  readonly config: { readonly fromUsd: number; readonly fromTokens: number; readonly askUsd: number };
  readonly emitter: Pick<Emitter, 'emit'>;
}

/** A turn that is running or has just ended. */
export interface Watched {
  readonly chatId: string;
  readonly turnId: string;
  /** Name of the plugin that requested the turn; omitted if a user requested it. */
  readonly by?: string;
  /** Computed once: before the first request if the user may be asked about the turn, otherwise after it. */
  readonly outlook: () => Promise<Outlook>;
  /** Omitted until the forecast has been computed. */
  said?: Forecast | undefined;
  unit: ForecastUnit;
  tokens: number;
  cost?: number;
  isBeyond: boolean;
}

interface Outlook {
  readonly task: Task;
  readonly said: Forecast | undefined;
}

export interface Forecaster {
  /** Forecasts the cost of a text that has not been sent yet. */
  of(task: Pick<Task, 'workspaceRoot'> & { readonly chatId: string; readonly text: string; readonly model?: string }): Promise<Forecast | undefined>;
  /** Runs before the first request of a turn. Returns a text that replaces the turn if the user rejects it. */
  begin(turn: Turn): Promise<Interception | undefined>;
  /** Runs after each request of a turn; reports the likely cost of the turn once. */
  reportForecast(turnId: string): Promise<void>;
  /** Runs before the user receives a plan; reports the likely total cost of the turn if the plan is approved. */
  plan(turn: Pick<Turn, 'turnId' | 'text'>, plan: string): Promise<void>;
  used(row: Pick<UsageRow, 'turnId' | 'input' | 'output' | 'cost'>): Promise<void>;
  end(end: Pick<TurnEnd, 'turnId' | 'reason'>): Promise<void>;
  /** Returns the running turn of a chat; `undefined` if none is running. */
  running(chatId: string): Watched | undefined;
  forget(chatId: string): Promise<void>;
}

const goOn = 'Start';
/** End reasons of turns whose cost is complete; a stopped turn predicts nothing about the next one. */
const whole: ReadonlySet<TurnEnd['reason']> = new Set(['done', 'round_limit', 'budget']);

export function createForecaster({ services, past, config, emitter }: ForecasterParts): Forecaster {
  const { approvals, models, storage } = services;
  const running = new Map<string, Watched>();
  /** Maps each chat to the tokens of its newest request, with which the next turn starts. */
  const contexts = new BoundedMap<string, number>(500);

  async function contextOf(chatId: string): Promise<number> {
    const known = contexts.get(chatId);
    return known ?? (await past.history()).turns.findLast((turn) => turn.chatId === chatId)?.context ?? 0;
  }

  async function taskOf(chatId: string, text: string, workspaceRoot: string, model: string | undefined): Promise<Task> {
    const [route, context] = await Promise.all([models.routeNow(model), contextOf(chatId)]);
    return { at: new Date().toISOString(), model: route.model, workspaceRoot, words: wordsOf(text), length: text.length, context };
  }

  const isLong = ({ unit, likely }: Forecast): boolean => likely >= (unit === 'usd' ? config.fromUsd : config.fromTokens);

  function say(watched: Watched, phase: TurnForecast['phase'], found: Omit<Forecast, 'unit'>): void {
    const { chatId, turnId, unit } = watched;
    const { likely, low, high, turns } = found;
    emitter.emit('turn_forecast', { chatId, turnId, phase, unit, likely, low, high, soFar: phase === 'before' ? 0 : soFar(watched), turns });
  }

  return {
    running: (chatId) => [...running.values()].find((one) => one.chatId === chatId),
    async of({ chatId, text, workspaceRoot, model }) {
      const task = await taskOf(chatId, text, workspaceRoot, model);
      return forecast(task, await past.history());
    },
    async begin(turn) {
      const { chatId, turnId, text, workspaceRoot, model, origin, signal, waiting } = turn;
      const outlook = lazy(async (): Promise<Outlook> => {
        const history = await past.history();
        const task = await taskOf(chatId, text, workspaceRoot, model);
        const said = forecast(task, history);
        Object.assign(watched, { said, unit: said?.unit ?? unitFor(task.model, history.turns) });
        if (said && isLong(said)) say(watched, 'before', said);
        return { task, said };
      });
      const watched: Watched = { chatId, turnId, outlook, unit: 'tokens', tokens: 0, isBeyond: false, ...(origin ? { by: origin.plugin } : {}) };
      running.set(turnId, watched);
      const { askUsd } = config;
      if (askUsd === 0 || origin) return undefined;
      const { said } = await outlook();
      if (said?.unit !== 'usd' || said.likely < askUsd) return undefined;
      const question = { prompt: `${forecastText(said)} Start the turn?`, options: [goOn, 'Cancel'] };
      const answer = await approvals.ask(question, { chatId, turnId, callId: storage.createId('call'), signal, waiting });
      if (answer.trim().toLowerCase() === goOn.toLowerCase()) return undefined;
      running.delete(turnId);
      return {
        text: `The turn was not started; its likely cost is ${amountText(said.unit, said.likely)}. Shorten the request, or send it again and choose Start.`,
      };
    },
    reportForecast: async (turnId) => void (await running.get(turnId)?.outlook()),
    async plan({ turnId, text }, plan) {
      const watched = running.get(turnId);
      if (!watched) return;
      const begun = (await watched.outlook()).task;
      const task = { ...begun, words: wordsOf(`${plan}\n${text}`), context: await contextOf(watched.chatId) };
      const found = forecast(task, await past.history(), soFar(watched));
      if (found && found.unit === watched.unit) say(watched, 'plan', found);
    },
    async used({ turnId, input, output, cost }) {
      const watched = turnId === undefined ? undefined : running.get(turnId);
      if (!watched) return;
      watched.tokens += input + output;
      if (cost !== undefined) watched.cost = (watched.cost ?? 0) + cost;
      const { task } = await watched.outlook();
      contexts.set(watched.chatId, input + output);
      const now = soFar(watched);
      const from = watched.unit === 'usd' ? config.fromUsd : config.fromTokens;
      if (watched.isBeyond || !watched.said || now <= watched.said.high || now < from) return;
      watched.isBeyond = true;
      const rest = forecast(task, await past.history(), now);
      say(watched, 'beyond', rest ?? { likely: now, low: now, high: now, turns: 0 });
    },
    async end({ turnId, reason }) {
      const watched = running.get(turnId);
      running.delete(turnId);
      if (watched && watched.tokens > 0 && whole.has(reason)) await past.add(pastOf(watched, (await watched.outlook()).task));
    },
    async forget(chatId) {
      contexts.delete(chatId);
      await past.forget(chatId);
    },
  };
}

/** Returns the cost so far, in the unit of the forecast. */
export function soFar({ unit, tokens, cost = 0 }: Pick<Watched, 'unit' | 'tokens' | 'cost'>): number {
  return unit === 'usd' ? cost : tokens;
}

function pastOf({ chatId, turnId, said, tokens, cost, by }: Watched, task: Task): PastTurn {
  return {
    ...{ ...task, chatId, turnId, tokens },
    ...(cost === undefined ? {} : { cost }),
    ...(by === undefined ? {} : { by }),
    ...(said ? { said: { unit: said.unit, low: said.low, high: said.high } } : {}),
  };
}
