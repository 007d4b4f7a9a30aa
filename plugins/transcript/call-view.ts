// What a card shows of a call, as a view: what the tool gave for it, else what can be told of its task and its difference.
import { readDiff } from 'agent-harness/lib/unified-diff';
import type { Block, View } from 'agent-harness/view';
import { callText } from './call-text.ts';
import type { Task, TaskCall, ToolEntry } from './state.ts';
import { isOver } from './tool-reducers.ts';
import { endingText } from './wording.ts';

type List = Extract<Block, { kind: 'list' }>;
type Item = List['items'][number];

/** Of a text in a view. */
const longest = { line: 2_000, text: 20_000 };

/** What came of a call that went well; `undefined` where its output is all. A difference is one of the output, or the one that a person said yes to. */
export function viewOfResult({ ok, view, output = '', approval, decision }: ToolEntry): View | undefined {
  if (ok !== true) return undefined;
  if (view !== undefined) return view;
  if (readDiff(output) !== undefined) return { blocks: [{ kind: 'diff', diff: output }] };
  // What was approved with other arguments is not what was shown.
  if (approval?.preview?.kind !== 'diff' || decision?.decision === 'edit') return undefined;
  return {
    blocks: [
      ...(output === '' ? [] : [{ kind: 'text' as const, text: output.slice(0, longest.text), isPlain: true }]),
      { kind: 'diff', diff: approval.preview.diff },
    ],
  };
}

export interface TaskViewOptions {
  /** Its newest calls that are listed. */
  readonly calls: number;
  /** The list alone: what it was told and what it says stand elsewhere. */
  readonly isBrief?: boolean;
}

/** The task that a call started: what it was told, what it does, its newest words, and how it ended. `undefined` where there is none. */
export function viewOfTask(entry: ToolEntry, { calls: most, isBrief = false }: TaskViewOptions): View | undefined {
  const { task, output } = entry;
  if (!task) return undefined;
  const { goal, calls, text, reason } = task;
  const omitted = Math.max(0, calls.length - most);
  const list: List = { kind: 'list', isOrdered: true, isCompact: true, items: callItems(entry, task, most), ...(omitted > 0 ? { omitted } : {}) };
  const lists = calls.length > 0 ? [list] : [];
  if (isBrief) return { blocks: lists };
  const said = plainText(goal);
  return {
    blocks: [
      ...(said.text === '' ? [] : [said]),
      ...lists,
      // What it said at the end is the result of the call.
      ...(text === '' || output !== undefined
        ? []
        : [{ kind: 'text' as const, text: text.slice(-longest.text), ...(reason === undefined ? { isGrowing: true } : {}) }]),
      ...(reason === undefined || reason === 'done' ? [] : [plainText(endingText(reason))]),
    ],
  };
}

/** The newest calls of a task, each in a line. */
export function callItems(entry: ToolEntry, { calls, reason }: Task, most: number): readonly Item[] {
  const isEnded = reason !== undefined || isOver(entry);
  return calls.slice(-most).map((call): Item => {
    const detail = callText(call).slice(0, longest.line);
    return { text: call.name, state: stateOf(call, isEnded), ...(detail === '' ? {} : { detail }) };
  });
}

function stateOf({ isOk }: TaskCall, isEnded: boolean): NonNullable<Item['state']> {
  if (isOk === undefined) return isEnded ? 'stopped' : 'active';
  return isOk ? 'done' : 'failed';
}

function plainText(text: string): Extract<Block, { kind: 'text' }> {
  return { kind: 'text', text: text.slice(0, longest.text), isPlain: true };
}
