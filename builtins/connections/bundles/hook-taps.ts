// Runs the hooks of bundles at the events of a turn.
import type { Emitter } from 'agent-harness/kernel';
import { BoundedMap } from '#lib/values';
import type { Prompt, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { ApprovalRule } from 'agent-harness/plugins/policy';
import { runHooks, type HookCall, type HookPorts, type HookSaid } from './run-hooks.ts';
import { inputOf, namesOf } from './tool-names.ts';

interface TurnNotes {
  /** Texts from hooks for the model in this turn. */
  readonly context: string[];
  /** Reason for requesting approval, by call. */
  readonly asked: Map<string, string>;
}

/** Maximum number of chats that are tracked; a chat that was dropped starts a new session. */
const mostChats = 1_000;
const noteKey = 'bundles';

/** Returns the rule that requires approval if a hook requests it. */
export function tapHooks(emitter: Emitter, ports: HookPorts): ApprovalRule {
  /** Chats for which a session was started or continued in this process. */
  const begun = new BoundedMap<string, true>(mostChats);

  function placeOf({ chatId, workspaceRoot, signal }: Turn): Pick<HookCall, 'chatId' | 'workspaceRoot' | 'signal'> {
    return { chatId, workspaceRoot, signal };
  }

  function callFor(call: ToolCall, event: 'PreToolUse' | 'PostToolUse', more: object): Promise<HookSaid> {
    const names = namesOf(call);
    return runHooks(ports, {
      ...placeOf(call.turn),
      event,
      names,
      about: { tool_name: names[0], own_tool_name: call.tool.name, tool_input: inputOf(call), ...more },
    });
  }

  // Runs after slash commands have been handled, because these do not reach a model.
  emitter.tap(
    'turn.intercept',
    async (turn) => {
      if (!turn.isRoot) return undefined;
      const { block, context } = await runHooks(ports, { ...placeOf(turn), event: 'UserPromptSubmit', about: { prompt: turn.text } });
      notesOf(turn).context.push(...context);
      return block === undefined ? undefined : { text: block };
    },
    { order: 'post' },
  );
  emitter.tap('turn.before', async (turn) => {
    if (!turn.isRoot || begun.has(turn.chatId)) return;
    begun.set(turn.chatId, true);
    const { context } = await runHooks(ports, { ...placeOf(turn), event: 'SessionStart', about: { source: 'startup' } });
    notesOf(turn).context.push(...context);
  });
  emitter.tap('chat.close', (chatId) => void begun.delete(chatId));
  emitter.tap('prompt.build', (prompt, turn): Prompt | undefined => {
    const { context } = notesOf(turn);
    return context.length === 0 ? undefined : { ...prompt, tail: [...prompt.tail, { role: 'system', text: context.join('\n\n') }] };
  });
  emitter.tap('tool.before', async (call) => {
    const { block, ask, context } = await callFor(call, 'PreToolUse', {});
    notesOf(call.turn).context.push(...context);
    if (ask !== undefined) notesOf(call.turn).asked.set(call.callId, ask);
    return block === undefined ? undefined : { deny: block };
  });
  emitter.tap('tool.after', async (outcome, call) => {
    if (call.hasRun !== true) return undefined;
    const response = outcome.ok ? { output: outcome.output } : { error: outcome.error };
    const { block, context } = await callFor(call, 'PostToolUse', { tool_response: response });
    const said = [...(block === undefined ? [] : [block]), ...context].join('\n\n');
    if (said === '') return undefined;
    return outcome.ok ? { ...outcome, output: `${outcome.output}\n\n${said}` } : { ...outcome, error: `${outcome.error}\n\n${said}` };
  });
  emitter.tap('turn.finalize', async (answer, turn) => {
    if (!turn.isRoot || answer.reason !== 'done' || answer.sendBack !== undefined) return undefined;
    const { block } = await runHooks(ports, { ...placeOf(turn), event: 'Stop', about: { stop_hook_active: false } });
    return block === undefined ? undefined : { ...answer, sendBack: block };
  });
  return {
    name: 'bundle-hooks',
    decide({ turn, callId }) {
      const reason = notesOf(turn).asked.get(callId);
      return reason === undefined ? undefined : { verdict: 'ask', reason, needsPerson: true };
    },
  };
}

function notesOf({ notes }: Turn): TurnNotes {
  const known = notes.get(noteKey) as TurnNotes | undefined;
  const fresh = known ?? { context: [], asked: new Map<string, string>() };
  if (!known) notes.set(noteKey, fresh);
  return fresh;
}
