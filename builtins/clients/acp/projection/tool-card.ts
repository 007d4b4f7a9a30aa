// Builds the card of a call for the editor: title, kind, files, and content.
import type { ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';
import { codeFence, firstLine, oneLine } from '#lib/text';
import { callText, decisionText, printedText, viewOfResult, viewOfTask, type ToolEntry } from 'agent-harness/transcript';
import { viewMarkdown, type Block, type View } from 'agent-harness/view';
import { absolutePath } from './absolute-path.ts';
import { diffsOf, diffsOfArgs } from './diffs.ts';

export interface ToolCard {
  readonly title: string;
  readonly kind: ToolKind;
  readonly status: ToolCallStatus;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
  readonly rawInput?: unknown;
}

/** Maps tool icons to kinds of the protocol. */
const kinds: Readonly<Record<string, ToolKind>> = {
  file: 'read',
  folder: 'read',
  archive: 'read',
  search: 'search',
  'file-add': 'edit',
  'file-edit': 'edit',
  terminal: 'execute',
  globe: 'fetch',
  brain: 'think',
  list: 'think',
};

const statuses: Readonly<Record<ToolEntry['state'], ToolCallStatus>> = {
  writing: 'pending',
  queued: 'pending',
  waiting: 'pending',
  running: 'in_progress',
  ok: 'completed',
  failed: 'failed',
  denied: 'failed',
  stopped: 'failed',
  interrupted: 'failed',
  expired: 'failed',
};
const titleLength = 200;
/** Maximum number of listed calls of a task; older calls are omitted. */
const taskCalls = 50;

/** Non-text content of cards. */
export interface ShownInCards {
  /** Returns an attachment's image as base64. */
  picture(attachmentId: string): string | undefined;
  /** Returns the id of the terminal that runs the command of a call. */
  terminal(callId: string): string | undefined;
}

const nothing: ShownInCards = { picture: () => undefined, terminal: () => undefined };

/** @param root absolute path of the workspace */
export function cardOf(entry: ToolEntry, root: string, shown: ShownInCards = nothing): ToolCard {
  // The arguments are not shown while the model writes them, because they change with each character.
  const isWritten = entry.state !== 'writing';
  const args = isWritten ? entry.args : undefined;
  const subject = isWritten ? oneLine(callText(entry), titleLength) : '';
  const kind = kinds[entry.icon ?? ''] ?? 'other';
  return {
    title: subject === '' ? entry.name : `${entry.name}: ${subject}`,
    kind,
    status: statuses[entry.state],
    locations: kind === 'read' || kind === 'edit' ? locationsOf(args, root) : [],
    content: isWritten ? [...contentOf(entry, kind, root, shown.terminal(entry.callId)), ...picturesOf(entry, shown)] : [],
    ...(args === undefined ? {} : { rawInput: args }),
  };
}

function locationsOf(args: ToolEntry['args'], root: string): ToolCallLocation[] {
  const path = args?.['path'];
  if (typeof path !== 'string' || path === '' || /^\w{2,}:/.test(path)) return [];
  const line = args?.['offset'];
  return [{ path: absolutePath(path, root), ...(typeof line === 'number' && Number.isInteger(line) && line > 0 ? { line } : {}) }];
}

function contentOf(entry: ToolEntry, kind: ToolKind, root: string, terminalId: string | undefined): ToolCallContent[] {
  const { approval, decision } = entry;
  // The terminal shows the output of a command.
  const view = terminalId === undefined || entry.view !== undefined ? viewOfResult(entry) : undefined;
  const path = textOf(entry.args?.['path']);
  const asked = kind === 'edit' ? (approval?.preview?.kind === 'diff' ? diffsOf(approval.preview, root) : diffsOfArgs(entry.args, root)) : [];
  const shown = view ? contentOfView(view, path, root) : [];
  const diffs = shown.some(({ type }) => type === 'diff') ? [] : asked;
  const refusal = decision?.decision === 'reject' ? decisionText(decision) : undefined;
  const output = view ? undefined : terminalId === undefined ? outputText(entry, diffs.length > 0) : endText(entry);
  const task = viewOfTask(entry, { calls: taskCalls });
  const texts = [refusal, task && viewMarkdown(task), output].filter((one): one is string => one !== undefined && one !== '');
  return [...diffs, ...(terminalId === undefined ? [] : [{ type: 'terminal' as const, terminalId }]), ...texts.map(textContent), ...shown];
}

/** Converts blocks in order: diffs to the editor's format, others to Markdown. @param path path for a diff without a file name */
function contentOfView({ title, blocks }: View, path: string | undefined, root: string): ToolCallContent[] {
  const runs: { readonly title?: string; readonly blocks: Block[] }[] = [{ ...(title === undefined ? {} : { title }), blocks: [] }];
  const content: ToolCallContent[] = [];
  const endRun = (): void => {
    const markdown = viewMarkdown(runs.pop() ?? { blocks: [] });
    if (markdown !== '') content.push(textContent(markdown));
    runs.push({ blocks: [] });
  };
  for (const block of blocks) {
    if (block.kind !== 'diff') {
      runs.at(-1)?.blocks.push(block);
      continue;
    }
    const drawn = diffsOf({ ...(path === undefined ? {} : { path }), ...block }, root);
    // Other blocks are converted to text.
    if (drawn.length === 0) runs.at(-1)?.blocks.push(block);
    else {
      endRun();
      content.push(...drawn);
    }
  }
  endRun();
  return content;
}

function picturesOf({ images = [] }: ToolEntry, { picture }: ShownInCards): ToolCallContent[] {
  return images.flatMap(({ attachmentId = '', mimeType }) => {
    const data = picture(attachmentId);
    return data === undefined ? [] : [{ type: 'content' as const, content: { type: 'image' as const, data, mimeType } }];
  });
}

/** Returns the newest lines of a running call, then its result. For an edit that is shown as a diff, returns only the error. */
function outputText({ state, output = '', progress, ok }: ToolEntry, isShown: boolean): string | undefined {
  if (state === 'running' && progress.length > 0) return codeFence(printedText(progress));
  return output === '' || (isShown && ok === true) ? undefined : codeFence(output);
}

/** Returns the first line of a failed call's output; the terminal shows the rest. */
function endText({ ok, output = '' }: ToolEntry): string | undefined {
  return ok === false && output !== '' ? firstLine(output) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const textContent = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });
