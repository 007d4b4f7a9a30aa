// Builds the card of a tool call as a view: the tool's own view, otherwise a view of its task and its diff.
import { readDiff } from '#lib/unified-diff';
import type { Block, View } from 'agent-harness/view';
import { callText } from './call-text.ts';
import type { Task, TaskCall, ToolEntry } from './state.ts';
import { isOver } from './tool-reducers.ts';
import { endingText } from './wording.ts';

type List = Extract<Block, { kind: 'list' }>;
type Item = List['items'][number];

/** Maximum lengths of texts in a view, in UTF-16 code units. */
const longest = { line: 2_000, text: 20_000 };

/** Returns the view of a successful call; `undefined` if its output is sufficient. A diff comes from the output or from the approved preview. */
export function viewOfResult({ ok, view, output = '', approval, decision }: ToolEntry): View | undefined {
  if (ok !== true) return undefined;
  if (view !== undefined) return view;
  if (readDiff(output) !== undefined) return { blocks: [{ kind: 'diff', diff: output }] };
  // The preview does not match edited arguments.
  if (approval?.preview?.kind !== 'diff' || decision?.decision === 'edit') return undefined;
  return {
    blocks: [
      ...(output === '' ? [] : [{ kind: 'text' as const, text: output.slice(0, longest.text), isPlain: true }]),
      { kind: 'diff', diff: approval.preview.diff },
    ],
  };
}

export interface TaskViewOptions {
  /** Number of newest calls to list. */
  readonly calls: number;
  /** Whether to return only the list of calls, because goal and text are displayed elsewhere. */
  readonly isBrief?: boolean;
}

/** Returns a view of the task that a call started: goal, calls, newest text, and end. `undefined` if the call started no task. */
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
      // The final text of the task is the result of the call.
      ...(text === '' || output !== undefined
        ? []
        : [{ kind: 'text' as const, text: text.slice(-longest.text), ...(reason === undefined ? { isGrowing: true } : {}) }]),
      ...(reason === undefined || reason === 'done' ? [] : [plainText(endingText(reason))]),
    ],
  };
}

/** Returns the newest calls of a task, one per line. */
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
