// Builds the view of turn costs: the running turn with its forecast, the parts of the last turn, and the accuracy of forecasts.
import type { Services } from 'agent-harness/kernel';
import { durationText } from 'agent-harness/transcript';
import type { JobRow, Jobs } from 'agent-harness/plugins/schedule';
import type { Block, View, ViewContribution } from 'agent-harness/plugins/views';
import { amountText, rangeText } from './describe-forecast.ts';
import { soFar, type Forecaster, type Watched } from './forecaster.ts';
import { heldOf } from './likely-cost.ts';
import type { PastTurn } from './history.ts';
import type { PastTurns } from './past-turns.ts';
import { messagesOf, partsOf, type Part } from './turn-parts.ts';
import { mostDays, weeklyCosts } from './weekly-cost.ts';

export interface CostViewParts {
  readonly services: Pick<Services, 'eventLog' | 'models'> & { readonly jobs?: Jobs | undefined };
  readonly forecaster: Pick<Forecaster, 'running'>;
  readonly past: Pick<PastTurns, 'history'>;
}

/** Number of newest forecasts whose accuracy is computed. */
const judged = 50;
const shownRows = 100;
const number = (title: string) => ({ title, kind: 'number' }) as const;

export function costView({ services, forecaster, past }: CostViewParts): ViewContribution['read'] {
  return async ({ chatId }) => {
    const { turns } = await past.history();
    const running = chatId === undefined ? undefined : forecaster.running(chatId);
    const last = chatId === undefined ? undefined : turns.findLast((turn) => turn.chatId === chatId);
    const shown = running ?? last;
    return {
      title: 'Turn costs',
      blocks: [
        ...(running ? runningBlocks(running) : []),
        ...(!running && last ? [endedBlock(last)] : []),
        ...(shown ? await partBlocks(shown, services) : []),
        ...(shown ? [] : [{ kind: 'text' as const, text: 'No turn of this chat has ended yet.' }]),
        ...(await weekBlocks(turns, services)),
        heldBlock(turns),
      ],
    };
  };
}

function runningBlocks(watched: Watched): Block[] {
  const { said, unit } = watched;
  const now = soFar(watched);
  if (!said) return [{ kind: 'text', text: `A turn is running. It has cost ${amountText(unit, now)} so far; there is no forecast yet.` }];
  const isOnCourse = now <= said.high;
  const kind = unit === 'usd' ? 'money' : 'number';
  return [
    {
      kind: 'fields',
      title: 'Running turn',
      fields: [
        { label: unit === 'usd' ? 'Cost so far' : 'Tokens so far', value: now, kind },
        { label: 'Likely', value: said.likely, kind },
        { label: '80% range', value: rangeText(said) },
        { label: 'State', value: isOnCourse ? 'active' : 'failed', kind: 'state' },
      ],
    },
    {
      kind: 'progress',
      label: isOnCourse ? 'Within the forecast' : 'Above the forecast',
      value: Math.min(1, now / said.high),
      detail: `${amountText(unit, now)} of ${rangeText(said)}`,
    },
  ];
}

function endedBlock(turn: PastTurn): Block {
  const { cost, tokens, said } = turn;
  const held = heldOf(turn);
  return {
    kind: 'fields',
    title: 'Last turn',
    fields: [
      { label: 'Cost', value: cost ?? null, kind: 'money' },
      { label: 'Tokens', value: tokens, kind: 'number' },
      { label: 'Forecast', value: said ? rangeText(said) : null },
      ...(held === undefined ? [] : [{ label: 'Within the forecast', value: held ? 'yes' : 'no' }]),
    ],
  };
}

async function partBlocks({ chatId, turnId }: Pick<PastTurn, 'chatId' | 'turnId'>, { models, eventLog }: CostViewParts['services']): Promise<Block[]> {
  const rows = (await models.usage({ chatId })).filter((row) => row.turnId === turnId);
  const { byPurpose, byPlugin, byMessage } = partsOf(rows, await messagesOf(turnId, eventLog.read(chatId)));
  return [table('By purpose', 'Purpose', byPurpose), table('By plugin', 'Plugin', byPlugin), table('By message of the model', 'Message', byMessage)];
}

function table(title: string, first: string, parts: readonly Part[]): Block {
  return {
    kind: 'table',
    title,
    columns: [{ title: first }, number('Calls'), number('In'), number('Cached tokens in'), number('Out'), { title: 'Cost', kind: 'money' }],
    rows: parts
      .slice(-shownRows)
      .map(({ name, calls, input, cached, output, cost }) => ({ cells: [name, calls, input, cached, output, cost > 0 ? cost : null] })),
  };
}

/** Returns the likely cost of work that runs without a request by the user. */
async function weekBlocks(past: readonly PastTurn[], { models, jobs: known }: CostViewParts['services']): Promise<Block[]> {
  const jobs = known?.list() ?? [];
  const plugins = [...new Set([...jobs.map(({ plugin }) => plugin), ...past.flatMap(({ by }) => by ?? [])])].sort();
  if (plugins.length === 0) return [];
  const rows = await models.usage({ since: new Date(Date.now() - (mostDays + 1) * 86_400_000).toISOString() });
  const costs = weeklyCosts(plugins, rows, past, Date.now());
  if (costs.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Likely weekly cost of background work',
      columns: [{ title: 'Plugin' }, { title: 'When' }, { title: 'Likely' }, { title: '80% range' }, number('Days of data')],
      rows: costs.map((cost) => ({
        cells: [cost.plugin, whenText(jobs.filter(({ plugin }) => plugin === cost.plugin)), amountText(cost.unit, cost.likely), rangeText(cost), cost.days],
      })),
    },
  ];
}

function whenText(jobs: readonly JobRow[]): string {
  return jobs
    .map(({ when }) => {
      if ('cron' in when) return when.cron;
      return 'everyMs' in when ? `every ${durationText(when.everyMs)}` : `after ${durationText(when.idleMs)} without a turn`;
    })
    .join(', ');
}

function heldBlock(turns: readonly PastTurn[]): View['blocks'][number] {
  const verdicts = turns.flatMap((turn) => heldOf(turn) ?? []).slice(-judged);
  const held = verdicts.filter(Boolean).length;
  return {
    kind: 'text',
    title: 'Accuracy of forecasts',
    text:
      verdicts.length === 0
        ? 'Forecasts start after five completed turns. They use only your own past turns, and compare the words and the length of the message, the length of the conversation, the folder and the model.'
        : `In ${held} of the last ${verdicts.length} forecasts, the actual cost was within the forecast range. The target is four of five; the range widens when forecasts miss.`,
  };
}
