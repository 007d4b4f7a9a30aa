// Registers daily budgets: groups model calls by purpose, and limits the cost of each group per day.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type { SpendingCap } from 'agent-harness/plugins/models';

const variables = {
  chat: 'AGENT_BUDGET_USD_FOR_CHAT',
  task: 'AGENT_BUDGET_USD_FOR_TASK',
  memory: 'AGENT_BUDGET_USD_FOR_MEMORY',
  heartbeat: 'AGENT_BUDGET_USD_FOR_HEARTBEAT',
  dream: 'AGENT_BUDGET_USD_FOR_DREAM',
  voice: 'AGENT_BUDGET_USD_FOR_VOICE',
} as const;

/** The purposes that belong to each budget. `others`: all calls that belong to no other budget. */
const purposesOf = {
  chat: 'others',
  task: ['subtask'],
  memory: ['extract', 'autolink', 'vault', 'rewrite', 'embed'],
  heartbeat: ['heartbeat'],
  dream: ['dream'],
  voice: ['speak', 'transcribe'],
} as const satisfies Record<string, SpendingCap['purposes']>;

const budget = (variable: string, what: string) =>
  Type.Number({
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    env: variable,
    mustFit: true,
    examples: ['2.50'],
    tab: 'models_api',
    apply: 'live',
    title: `Budget for ${what} (USD per day)`,
    description: `Maximum cost of model calls for ${what}, from midnight to midnight in the time zone of this machine. 0: only the other limits apply.`,
  });

export const manifest = {
  name: 'budgets',
  requires: ['models'],
  config: Type.Object({
    chat: budget(variables.chat, 'chats and their helper calls'),
    task: budget(variables.task, 'subtasks'),
    memory: budget(variables.memory, 'memory'),
    heartbeat: budget(variables.heartbeat, 'the heartbeat'),
    dream: budget(variables.dream, 'dreams'),
    voice: budget(variables.voice, 'speech and transcripts'),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  for (const name of Object.keys(purposesOf) as (keyof typeof purposesOf)[])
    registry.add('spending_cap', {
      ...{ name, per: 'day', purposes: purposesOf[name] },
      source: variables[name],
      limit: () => registry.config[name],
    });
}
