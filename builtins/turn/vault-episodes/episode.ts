// Builds the vault note about a turn, deterministically and without a model.
import { firstLine, oneLine, textStart } from '#lib/text';
import type { Answer, ToolCall, Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { KeptNote } from 'agent-harness/builtins/tools/vault';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

interface Seen {
  answer: string;
  /** Maps tools to the numbers of their successful and failed calls. */
  readonly tools: Map<string, { ok: number; failed: number }>;
  readonly files: Set<string>;
}

const key = 'vault-episodes';
const maxQuestion = 4_000;
const maxAnswer = 8_000;
const maxFiles = 100;
const maxTitle = 80;

const endings: Readonly<Record<TurnEnd['reason'], string>> = {
  done: 'done',
  aborted: 'stopped by the user',
  error: 'ended by an error',
  round_limit: 'ended at the limit of rounds or time',
  interrupted: 'interrupted',
  budget: 'ended because the budget was used',
};

export function recordCall(outcome: ToolOutcome, { tool, args, turn }: ToolCall): undefined {
  if (!turn.isRoot) return;
  const seen = seenOf(turn);
  const count = seen.tools.get(tool.name) ?? { ok: 0, failed: 0 };
  if (outcome.ok) count.ok++;
  else count.failed++;
  seen.tools.set(tool.name, count);
  const { path } = args;
  const hasChanged = outcome.ok && tool.effects?.includes('write') === true && typeof path === 'string';
  if (hasChanged && seen.files.size < maxFiles) seen.files.add(path);
}

export function recordAnswer(answer: Answer, turn: Turn): undefined {
  if (turn.isRoot) seenOf(turn).answer = answer.text;
}

export function takeEpisode(turn: Turn, end: TurnEnd, now: Date): KeptNote {
  const { answer, tools, files } = seenOf(turn);
  const title = titleOf(turn.text);
  const rows = [...tools].map(([name, { ok, failed }]) => `- \`${name}\`: ${ok} ok${failed === 0 ? '' : `, ${failed} failed`}`);
  const result = [
    `The turn is ${endings[end.reason]}.`,
    ...(end.error ? [end.error.message] : []),
    ...(answer.trim() === '' ? [] : [cut(answer.trim(), maxAnswer)]),
  ];
  const sections = [
    `# ${title}`,
    `## Asked\n\n${quote(cut(turn.text.trim(), maxQuestion))}`,
    ...(rows.length === 0 ? [] : [`## Tools\n\n${rows.join('\n')}`]),
    ...(files.size === 0 ? [] : [`## Files changed\n\n${[...files].map((file) => `- \`${file.replaceAll('`', "'")}\``).join('\n')}`]),
    `## Result\n\n${result.join('\n\n')}`,
  ];
  return {
    path: `agent/episodes/${now.toISOString().slice(0, 10)}/${turn.turnId}.md`,
    frontMatter: {
      title,
      type: 'episode',
      chat: turn.chatId,
      turn: turn.turnId,
      result: end.reason,
      rounds: end.rounds,
      tools: end.tools,
      seconds: Math.round(end.durationMs / 1000),
      workspace: turn.workspaceRoot,
      // The answer may contain external content.
      ...(turn.isTainted ? { status: 'unreviewed' } : {}),
    },
    body: sections.join('\n\n'),
    action: 'episode',
  };
}

function seenOf(turn: Turn): Seen {
  const known = turn.notes.get(key) as Seen | undefined;
  if (known) return known;
  const seen: Seen = { answer: '', tools: new Map(), files: new Set() };
  turn.notes.set(key, seen);
  return seen;
}

function titleOf(text: string): string {
  const line = oneLine(firstLine(text));
  return line === '' ? 'A message without text' : cut(line, maxTitle);
}

function quote(text: string): string {
  return text === ''
    ? '(no text)'
    : text
        .split(/\r?\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${textStart(text, length)} …`;
}
