// Watches turns: says what one will likely take before it begins, says so when it comes to more, and keeps what it came to.
import type { Emitter } from 'agent-harness/kernel';
import type { Interception, Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { UsageRow } from 'agent-harness/plugins/models';
import { BoundedMap } from 'agent-harness/lib/values';
import type { ForecastUnit, TurnForecast } from './contract.ts';
import { amountText, forecastText } from './describe-forecast.ts';
import { forecast, unitFor, wordsOf, type Forecast, type Task } from './likely-cost.ts';
import type { PastTurn, PastTurns } from './past-turns.ts';

export interface ForecasterParts {
  readonly past: PastTurns;
  /** Read at each use. USD and tokens. */
  readonly config: { readonly fromUsd: number; readonly fromTokens: number; readonly askUsd: number };
  readonly emitter: Pick<Emitter, 'emit'>;
  /** Resolves to what the person chose, or wrote. */
  ask(turn: Turn, prompt: string, options: readonly string[]): Promise<string>;
  modelOf(model: string | undefined): Promise<string>;
}

/** A turn that runs, or ended a short while ago. */
export interface Watched {
  readonly chatId: string;
  readonly turnId: string;
  readonly task: Task;
  readonly said?: Forecast;
  readonly unit: ForecastUnit;
  /** The plugin that wanted it; left out for a person. */
  readonly by?: string;
  tokens: number;
  cost?: number;
  isBeyond: boolean;
}

export interface Forecaster {
  /** For a text that nobody sent yet. */
  of(task: Pick<Task, 'workspaceRoot'> & { readonly chatId: string; readonly text: string; readonly model?: string }): Promise<Forecast | undefined>;
  /** Before the first request of a turn. Answers what it says instead of running, where the person does not want it. */
  begin(turn: Turn): Promise<Interception | undefined>;
  /** A plan is about to be put before the person: what the whole turn will likely come to with it. */
  plan(turn: Pick<Turn, 'turnId' | 'text'>, plan: string): Promise<void>;
  used(row: Pick<UsageRow, 'turnId' | 'input' | 'output' | 'cost'>): Promise<void>;
  end(end: Pick<TurnEnd, 'turnId' | 'reason'>): Promise<void>;
  /** The turn of a chat that runs. */
  running(chatId: string): Watched | undefined;
  forget(chatId: string): Promise<void>;
}

const goOn = 'Go on';
/** Of the ends of a turn those after which it came to what it takes: one that was stopped says nothing about the next. */
const whole: ReadonlySet<TurnEnd['reason']> = new Set(['done', 'round_limit', 'budget']);

export function createForecaster({ past, config, emitter, ask, modelOf }: ForecasterParts): Forecaster {
  const running = new Map<string, Watched>();
  /** Chat → tokens of its newest request: the conversation that the next turn begins with. */
  const contexts = new BoundedMap<string, number>(500);

  async function contextOf(chatId: string): Promise<number> {
    const known = contexts.get(chatId);
    return known ?? (await past.all()).findLast((turn) => turn.chatId === chatId)?.context ?? 0;
  }

  async function taskOf(chatId: string, text: string, workspaceRoot: string, model: string | undefined): Promise<Task> {
    const [answering, context] = await Promise.all([modelOf(model), contextOf(chatId)]);
    return { at: new Date().toISOString(), model: answering, workspaceRoot, words: wordsOf(text), length: text.length, context };
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
      return forecast(task, await past.all());
    },
    async begin(turn) {
      const { chatId, turnId, text, workspaceRoot, model, origin } = turn;
      const turns = await past.all();
      const task = await taskOf(chatId, text, workspaceRoot, model);
      const said = forecast(task, turns);
      const watched: Watched = {
        chatId,
        turnId,
        task,
        unit: said?.unit ?? unitFor(task.model, turns),
        tokens: 0,
        isBeyond: false,
        ...(said ? { said } : {}),
        ...(origin ? { by: origin.plugin } : {}),
      };
      running.set(turnId, watched);
      if (!said) return undefined;
      if (isLong(said)) say(watched, 'before', said);
      const { askUsd } = config;
      if (said.unit !== 'usd' || askUsd === 0 || said.likely < askUsd || turn.origin !== undefined) return undefined;
      const answer = await ask(turn, `${forecastText(said)} Shall it begin?`, [goOn, 'Stop']);
      if (answer.trim().toLowerCase() === goOn.toLowerCase()) return undefined;
      running.delete(turnId);
      return { text: `Not begun: it would likely have come to ${amountText(said.unit, said.likely)}. Ask for less, or send it again and choose to go on.` };
    },
    async plan({ turnId, text }, plan) {
      const watched = running.get(turnId);
      if (!watched) return;
      const task = { ...watched.task, words: wordsOf(`${plan}\n${text}`), context: await contextOf(watched.chatId) };
      const found = forecast(task, await past.all(), soFar(watched));
      if (found && found.unit === watched.unit) say(watched, 'plan', found);
    },
    async used({ turnId, input, output, cost }) {
      const watched = turnId === undefined ? undefined : running.get(turnId);
      if (!watched) return;
      watched.tokens += input + output;
      if (cost !== undefined) watched.cost = (watched.cost ?? 0) + cost;
      contexts.set(watched.chatId, input + output);
      const now = soFar(watched);
      const from = watched.unit === 'usd' ? config.fromUsd : config.fromTokens;
      if (watched.isBeyond || !watched.said || now <= watched.said.high || now < from) return;
      watched.isBeyond = true;
      const rest = forecast(watched.task, await past.all(), now);
      say(watched, 'beyond', rest ?? { likely: now, low: now, high: now, turns: 0 });
    },
    async end({ turnId, reason }) {
      const watched = running.get(turnId);
      running.delete(turnId);
      if (watched && watched.tokens > 0 && whole.has(reason)) await past.add(pastOf(watched));
    },
    async forget(chatId) {
      contexts.delete(chatId);
      await past.forget(chatId);
    },
  };
}

/** In the unit of its forecast. */
export function soFar({ unit, tokens, cost = 0 }: Pick<Watched, 'unit' | 'tokens' | 'cost'>): number {
  return unit === 'usd' ? cost : tokens;
}

function pastOf({ chatId, turnId, task, said, tokens, cost, by }: Watched): PastTurn {
  return {
    ...{ ...task, chatId, turnId, tokens },
    ...(cost === undefined ? {} : { cost }),
    ...(by === undefined ? {} : { by }),
    ...(said ? { said: { unit: said.unit, low: said.low, high: said.high } } : {}),
  };
}
