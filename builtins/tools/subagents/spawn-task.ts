// Implements `spawn_task`: waits for a slot, runs the task, and returns its last text.
import { countWithNoun } from '#lib/text';
import * as Type from 'typebox';
import type { Turns } from 'agent-harness/plugins/agent';
import type { RunTool, ToolContext, ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import { createTaskLimits, type TaskLimits } from './task-limits.ts';

export const spawnTaskInput = Type.Object(
  {
    goal: Type.String({ minLength: 1, maxLength: 20_000, description: 'The whole task, with all context and what to report.' }),
    tools: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 60,
        uniqueItems: true,
        description: 'The only tools it may use; default: all of yours.',
      }),
    ),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: your model.' })),
  },
  { additionalProperties: false },
);

interface SpawnTask {
  readonly run: RunTool;
  /** Drops the data of an ended turn. */
  forget(turnId: string): void;
}

interface Limits {
  readonly atOnce: number;
  readonly perTurn: number;
}

const ownName = 'spawn_task';

/** @param limits live values of the settings */
export function createSpawnTask({ turns, tools }: { readonly turns: Turns; readonly tools: Tools }, limits: Limits): SpawnTask {
  const byTurn = new Map<string, TaskLimits>();

  async function run(args: { goal: string; tools?: string[]; model?: string }, context: ToolContext): Promise<ToolOutcome> {
    const unknown = (args.tools ?? []).filter((name) => !tools.find(name));
    if (unknown.length > 0) return { ok: false, error: `Unknown tools: ${unknown.join(', ')}.`, hint: 'Name only tools you have, or omit `tools`.' };
    const { chatId, turnId, callId, signal } = context;
    const places = byTurn.get(turnId) ?? createTaskLimits(limits);
    byTurn.set(turnId, places);
    if (!places.count()) return { ok: false, error: `This turn has reached the limit of ${limits.perTurn} tasks.`, hint: 'Do the rest yourself.' };
    const leave = await places.enter(signal);
    try {
      const { goal, model } = args;
      const task = { goal, callId, without: [ownName], ...(args.tools ? { tools: args.tools } : {}), ...(model === undefined ? {} : { model }) };
      const end = await turns.runTask(chatId, turnId, task, signal);
      const summary = `(${countWithNoun(end.rounds, 'round')}, ${countWithNoun(end.tools, 'call')})`;
      if (end.reason === 'done') return { ok: true, output: `${end.text || '(no text)'}\n${summary}`, isUntrusted: end.isTainted };
      const why = end.error ? `${end.reason}: ${end.error.message}` : end.reason;
      return { ok: false, error: `The task did not finish (${why}). Its last text: ${end.text || 'none'}\n${summary}`, isUntrusted: end.isTainted };
    } finally {
      leave();
    }
  }

  return { run, forget: (turnId) => void byTurn.delete(turnId) };
}
