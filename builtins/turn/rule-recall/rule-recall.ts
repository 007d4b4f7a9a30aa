// Records the rules that are relevant to the first round of a turn, and adds them only in the second round.
import type { Prompt, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { turnRules } from './turn-rules.ts';

const note = 'rule-recall';

export function noteUse(outcome: ToolOutcome, call: ToolCall): undefined {
  if (call.turn.round !== 1) return;
  const names = namesOf(call.turn);
  for (const rule of turnRules) if (rule.applies(call, outcome)) names.add(rule.name);
  call.turn.notes.set(note, names);
}

/** Adds the rules at the end of the conversation, so that the prefix before it stays unchanged. */
export function remindOf(prompt: Prompt, turn: Turn): Prompt | undefined {
  if (turn.round !== 2) return undefined;
  const names = namesOf(turn);
  const lines = turnRules.filter((rule) => names.has(rule.name)).map((rule) => `- ${rule.name}: ${rule.text}`);
  if (lines.length === 0) return undefined;
  const text = `Rules that apply now:\n${lines.join('\n')}`;
  return { ...prompt, tail: [...prompt.tail, { role: 'system', text, about: 'memory', stays: true }] };
}

function namesOf(turn: Turn): Set<string> {
  return (turn.notes.get(note) as Set<string> | undefined) ?? new Set();
}
