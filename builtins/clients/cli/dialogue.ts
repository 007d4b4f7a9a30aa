// Shows pending approvals and questions one at a time and reads the answers as lines.
import { messageOf } from '#lib/errors';
import { escapeHidden, showHidden } from '#lib/hidden-text';
import { oneLine } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import {
  approvalText,
  networkDecision,
  refusalText,
  rehearsalSeen,
  ruleMeaning,
  type Approval,
  type Question,
  type Transcript,
} from 'agent-harness/transcript';
import type { Client } from './http-client.ts';
import type { LineMarks } from './line-marks.ts';
import type { Paint } from './paint.ts';

type OpenItem =
  | { readonly kind: 'approval'; readonly id: string; approval: Approval; isEditing: boolean }
  | { readonly kind: 'question'; readonly id: string; readonly question: Question };

export interface Dialogue {
  /** Shows new pending items of the chat, and drops those that were settled elsewhere. */
  see(chat: Transcript): void;
  isOpen(): boolean;
  /** Answers the displayed item with a line. */
  readonly answer: (line: string) => Promise<void>;
  /** Denies all pending items because no user is present; returns whether there were any. @param reason answer to pending questions */
  refuseAll(reason: string): Promise<boolean>;
}

/** @param write prints text without a line break */
export function createDialogue(client: Client, paint: Paint, marks: LineMarks, write: (text: string) => void): Dialogue {
  const open: OpenItem[] = [];
  const seen = new Set<string>();

  function add(item: OpenItem): void {
    if (seen.has(item.id)) return;
    seen.add(item.id);
    open.push(item);
    if (open.length === 1) write(askingOf(item, paint, marks));
  }

  function close(id: string): void {
    const index = open.findIndex((one) => one.id === id);
    if (index < 0) return;
    open.splice(index, 1);
    const next = open[0];
    if (index === 0 && next) write(askingOf(next, paint, marks));
  }

  async function settle(item: OpenItem, path: string, body: object): Promise<void> {
    try {
      await client.call('POST', path, body);
    } catch (fault) {
      write(`${paint.red(marks.fault(messageOf(fault)))}\n`);
    }
    close(item.id);
  }

  async function decide(item: OpenItem & { kind: 'approval' }, line: string): Promise<void> {
    const choice = readChoice(line, item, marks);
    switch (choice.kind) {
      case 'send':
        return settle(item, '/api/approve', { approvalId: item.id, ...choice.decision });
      case 'edit':
        item.isEditing = true;
        return write(`${escapeHidden(JSON.stringify(item.approval.args))}\nThe arguments as one line of JSON, or an empty line to go back: `);
      case 'again':
        item.isEditing = choice.isEditing;
        return write(choice.ask);
    }
  }

  async function reply(item: OpenItem & { kind: 'question' }, line: string): Promise<void> {
    const answer = item.question.options?.[Number(line) - 1] ?? line;
    if (answer === '') return write(marks.answerPrompt);
    await settle(item, '/api/answer', { askId: item.id, answer });
  }

  return {
    see({ approvals, questions, entries }) {
      for (const approval of approvals) {
        const item = open.find((one): one is OpenItem & { kind: 'approval' } => one.kind === 'approval' && one.id === approval.approvalId);
        if (item && item.approval.rehearsal !== approval.rehearsal) {
          item.approval = approval;
          if (item === open[0] && !item.isEditing) write(`\n${askingOf(item, paint, marks)}`);
        }
      }
      for (const approval of approvals) add({ kind: 'approval', id: approval.approvalId, approval, isEditing: false });
      for (const question of questions) add({ kind: 'question', id: question.askId, question });
      const ids = new Set([...approvals.map(({ approvalId }) => approvalId), ...questions.map(({ askId }) => askId)]);
      for (const item of open.filter(({ id }) => !ids.has(id))) {
        const call = item.kind === 'approval' ? entries.find(({ id }) => id === item.approval.callId) : undefined;
        if (call?.kind === 'tool' && call.decision && call.decision.by !== 'user')
          write(`\n${paint.yellow(marks.decided(`${refusalText(call.decision.by)}.`).trimStart())}\n`);
        close(item.id);
      }
    },
    isOpen: () => open.length > 0,
    async answer(line) {
      const item = open[0];
      if (!item) return;
      await (item.kind === 'approval' ? decide(item, line.trim()) : reply(item, line.trim()));
    },
    async refuseAll(reason) {
      const all = [...open];
      for (const item of all) await refuse(client, item.kind, item.id, reason);
      open.length = 0;
      return all.length > 0;
    },
  };
}

/**
 * Denies an approval because no user is present, or answers a question with `reason`. A settled item is left unchanged. Rejects if the server does not respond.
 */
export async function refuse(client: Client, kind: OpenItem['kind'], id: string, reason: string): Promise<void> {
  const [path, body] =
    kind === 'approval' ? ['/api/approve', { approvalId: id, decision: 'reject', unattended: true }] : ['/api/answer', { askId: id, answer: reason }];
  await client.call('POST', path, body).catch(ignoreSettled);
}

/** Ignores errors that the server returns, such as for a settled item; throws others. */
export function ignoreSettled(fault: unknown): void {
  if (!(fault instanceof Error && 'status' in fault)) throw fault;
}

type Choice =
  | { readonly kind: 'send'; readonly decision: object }
  | { readonly kind: 'edit' }
  | { readonly kind: 'again'; readonly ask: string; readonly isEditing: boolean };

/** Returns the available choices. The server decides which scopes can be remembered. */
function choicesFor(approval: Approval, marks: LineMarks): string {
  const { remembers } = approval;
  const allow = remembers === undefined ? marks.allow : `${marks.remembers} ${showHidden(ruleMeaning(remembers))}\n${marks.allowOrRemember}`;
  return networkDecision(approval) ? `${marks.network}\n${allow}` : allow;
}

function readChoice(line: string, { approval, isEditing }: OpenItem & { kind: 'approval' }, marks: LineMarks): Choice {
  const choices = choicesFor(approval, marks);
  if (isEditing) return readEdit(line, choices);
  const [, word = '', reason] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return { kind: 'send', decision: { decision: 'approve', ...rehearsalSeen(approval) } };
    case 'a':
    case 'always':
    case 'f':
    case 'folder':
      if (approval.remembers === undefined) return { kind: 'again', ask: choices, isEditing: false };
      return {
        kind: 'send',
        decision: { decision: 'approve', ...rehearsalSeen(approval), remember: word.toLowerCase().startsWith('f') ? 'workspace' : 'chat' },
      };
    case 'w':
    case 'network': {
      const decision = networkDecision(approval);
      return decision ? { kind: 'send', decision } : { kind: 'again', ask: choices, isEditing: false };
    }
    case 'n':
    case 'no':
      return { kind: 'send', decision: { decision: 'reject', ...(reason ? { reason } : {}) } };
    case 'e':
    case 'edit':
      return { kind: 'edit' };
    default:
      return { kind: 'again', ask: choices, isEditing: false };
  }
}

function readEdit(line: string, choices: string): Choice {
  if (line === '') return { kind: 'again', ask: choices, isEditing: false };
  const args = jsonOf(line);
  if (isRecord(args)) return { kind: 'send', decision: { decision: 'edit', args } };
  return { kind: 'again', ask: 'That is not a JSON object. Try again, or enter an empty line to go back: ', isEditing: true };
}

function askingOf(item: OpenItem, paint: Paint, marks: LineMarks): string {
  if (item.kind === 'question') {
    const options = (item.question.options ?? []).map((option, index) => `${marks.option(index + 1, oneLine(showHidden(option)))}\n`);
    return `${paint.bold(marks.asks(showHidden(item.question.prompt)))}\n${options.join('')}${marks.answerPrompt}`;
  }
  const { name, reason, effects } = item.approval;
  const what = effects.length > 0 ? ` (${effects.join(', ')})` : '';
  const lines = showHidden(approvalText(item.approval)).split('\n');
  return `${paint.yellow(marks.asks(`${showHidden(name)}${what} needs your approval: ${showHidden(reason)}`))}\n${lines.map((line) => `  ${line}\n`).join('')}${choicesFor(item.approval, marks)}`;
}
