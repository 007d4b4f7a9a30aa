// Registers sub-agents, with a tool that runs parallel tasks in nested turns.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/views';
import { createSpawnTask, spawnTaskInput } from './spawn-task.ts';
import { tasksView } from './tasks-view.ts';

export const manifest = {
  name: 'subagents',
  requires: ['chats', 'turns', 'tools'],
  config: Type.Object({
    atOnce: Type.Integer({
      default: 4,
      minimum: 1,
      maximum: 16,
      env: 'AGENT_TASKS_AT_ONCE',
      words: 'subagents parallel agents workers concurrency',
      tab: 'harness',
      title: 'Concurrent tasks per turn',
      description: 'Maximum number of tasks of one turn that run at the same time; other tasks wait.',
      apply: 'live',
    }),
    perTurn: Type.Integer({
      default: 16,
      minimum: 1,
      maximum: 100,
      env: 'AGENT_TASKS_PER_TURN',
      words: 'subagents agents workers',
      tab: 'harness',
      title: 'Tasks per turn',
      description: 'Maximum number of tasks that one turn may start.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const spawnTask = createSpawnTask(registry.services, registry.config);
  registry.add('tool', {
    name: 'spawn_task',
    display: { icon: 'list' },
    description:
      'Runs a task in a sub-agent and returns its report. Calls in one reply run in parallel. It sees only the goal, with an empty context: include everything it needs and what to report.',
    input: spawnTaskInput,
    // The effects are those of the task's own calls, which are judged separately.
    effects: ['read'],
    replay: 'ask',
    isConcurrent: true,
    timeoutMs: 0,
    run: spawnTask.run,
  });
  registry.add('view', tasksView(registry.services.chats));
  emitter.tap('turn.after', ({ turnId }) => spawnTask.forget(turnId));
}
