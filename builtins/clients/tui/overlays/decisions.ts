// Shows pending approvals and questions one at a time; each is shown completely before it can be decided.
import { CallError, type Approval, type OpenChat, type Question } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { showHidden } from '#lib/hidden-text';
import { oneLine } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import { approvalText, networkDecision, rehearsalSeen, ruleChoices, ruleMeaning } from 'agent-harness/transcript';
import type { Key } from '../screen/keys.ts';
import { linesOf, rowOf, spanOf, styles, type Row } from '../screen/spans.ts';
import { wrapRow } from '../screen/wrap.ts';
import { viewRows } from '../rows/view-rows.ts';
import type { Field, Layer } from '../composer/layer.ts';

export interface Decisions extends Layer {
  /** Whether a decision is pending. */
  readonly isOpen: boolean;
  /** Submits the text of the field; returns whether a decision used it. */
  submit(text: string): boolean;
}

export interface DecisionParts {
  readonly chat: () => OpenChat | undefined;
  readonly field: Field;
  say(text: string): void;
  redraw(): void;
  /** Current time in milliseconds. */
  now(): number;
}

type Open =
  | { readonly id: string; readonly approval: Approval; readonly question?: undefined }
  | { readonly id: string; readonly question: Question; readonly approval?: undefined };
type Mode = 'judge' | 'edit' | 'reject' | 'always';

/** Time in milliseconds during which keys are ignored, because they may have been pressed before the question appeared. */
const steadyMs = 400;

export function createDecisions({ chat, field, say, redraw, now }: DecisionParts): Decisions {
  let shownId: string | undefined;
  let shownEffects: string | undefined;
  let shownAt = 0;
  let mode: Mode = 'judge';
  let offset = 0;
  let pageRows = 1;
  let choice = 0;
  const sent = new Set<string>();

  function current(): Open | undefined {
    const { approvals = [], questions = [] } = chat()?.state.get() ?? {};
    const approval = approvals.find(({ approvalId }) => !sent.has(approvalId));
    const question = questions.find(({ askId }) => !sent.has(askId));
    const open: Open | undefined = approval ? { id: approval.approvalId, approval } : question ? { id: question.askId, question } : undefined;
    const effects = approval?.rehearsal?.id ?? approval?.rehearsal?.state;
    // Ignores keys for a moment after the displayed effects have changed.
    if (effects !== shownEffects) shownAt = now();
    shownEffects = effects;
    if (open?.id !== shownId) {
      if (isBorrowed()) field.giveBack();
      shownId = open?.id;
      shownAt = now();
      mode = 'judge';
      offset = choice = 0;
    }
    return open;
  }

  function settle(id: string, work: (chat: OpenChat) => Promise<void>): void {
    const about = chat();
    if (!about) return;
    sent.add(id);
    work(about)
      .catch((fault: unknown) => {
        // After an error, the decision can be submitted again, unless another client has already decided.
        if (!(fault instanceof CallError) || fault.code !== 'already_resolved') sent.delete(id);
        say(messageOf(fault));
      })
      .finally(redraw);
    leaveMode();
  }

  const isBorrowed = (): boolean => mode === 'edit' || mode === 'reject';

  function leaveMode(): void {
    if (isBorrowed()) field.giveBack();
    mode = 'judge';
    redraw();
  }

  function enterMode(next: Mode, text: string, hint: string): void {
    mode = next;
    field.borrow(text, hint);
  }

  function judge(id: string, approval: Approval, key: Key): boolean {
    if (key.name === 'page-down' || key.name === 'page-up') {
      offset = Math.max(0, offset + (key.name === 'page-down' ? pageRows : -pageRows));
      return true;
    }
    if (field.text !== '' || key.ctrl || key.alt || !'yawen'.includes(key.name) || key.name.length !== 1) return false;
    if (now() - shownAt < steadyMs) return true;
    const network = networkDecision(approval);
    if (key.name === 'y') settle(id, (about) => about.approve(id, { decision: 'approve', ...rehearsalSeen(approval) }));
    else if (key.name === 'a' && approval.remembers !== undefined) [mode, choice] = ['always', 0];
    else if (key.name === 'w' && network) settle(id, (about) => about.approve(id, network));
    else if (key.name === 'e') enterMode('edit', editable(approval), 'Edit the call: Enter runs it, Esc goes back');
    else if (key.name === 'n') enterMode('reject', '', 'Reason for the denial: Enter denies it, Esc goes back');
    return true;
  }

  function ask(id: string, { options = [] }: Question, key: Key): boolean {
    if (field.text !== '' || options.length === 0 || key.ctrl || key.alt) return false;
    return choose(options, key, (option) => answer(id, option));
  }

  /** Lets the user choose the scope to remember; until then, other keys are ignored. */
  function remember(id: string, approval: Approval | undefined, key: Key): boolean {
    if (key.ctrl || key.alt) return false;
    return choose(ruleChoices(approval ?? {}), key, ({ text: _text, ...rule }) =>
      settle(id, (about) => about.approve(id, { decision: 'approve', ...rule, ...(approval && rehearsalSeen(approval)) })),
    );
  }

  function choose<T>(options: readonly T[], key: Key, take: (option: T) => void): boolean {
    const isNumber = /^[1-9]$/.test(key.name) && Number(key.name) <= options.length && options.length <= 9;
    const chosen = key.name === 'enter' ? options[choice] : isNumber ? options[Number(key.name) - 1] : undefined;
    if (key.name === 'up' || key.name === 'down') choice = (choice + (key.name === 'up' ? options.length - 1 : 1)) % options.length;
    else if (now() - shownAt < steadyMs && (key.name === 'enter' || /^\d$/.test(key.name))) return true;
    else if (chosen !== undefined) take(chosen);
    else return false;
    return true;
  }

  function answer(id: string, text: string): void {
    settle(id, (about) => about.answer(id, text));
  }

  return {
    get isOpen() {
      return current() !== undefined;
    },
    rows(columns, most) {
      const open = current();
      if (!open) return [];
      const [head, body, foot] = open.question ? questionRows(open.question, choice, columns) : approvalRows(open.approval, columns, mode, choice);
      const room = Math.max(1, most - head.length - foot.length);
      if (body.length <= room) return [...head, ...body, ...foot];
      pageRows = Math.max(1, room - 1);
      offset = Math.min(offset, body.length - pageRows);
      const place = rowOf(`  rows ${offset + 1} to ${Math.min(body.length, offset + pageRows)} of ${body.length}: PgDn, PgUp`, styles.yellow);
      return [...head, ...body.slice(offset, offset + pageRows), place, ...foot];
    },
    key(key) {
      const open = current();
      if (!open) return false;
      if (mode !== 'judge') {
        if (key.name === 'escape') leaveMode();
        else if (mode !== 'always' || !remember(open.id, open.approval, key)) return false;
        redraw();
        return true;
      }
      const isTaken = open.question ? ask(open.id, open.question, key) : judge(open.id, open.approval, key);
      if (isTaken) redraw();
      return isTaken;
    },
    submit(text) {
      const open = current();
      if (!open) return false;
      if (open.question) {
        if (text.trim() === '') return false;
        answer(open.id, text.trim());
        return true;
      }
      const { id, approval } = open;
      if (mode === 'reject') settle(id, (about) => about.approve(id, { decision: 'reject', ...(text.trim() === '' ? {} : { reason: text.trim() }) }));
      else if (mode === 'edit') {
        const args = edited(approval, text);
        if (args) settle(id, (about) => about.approve(id, { decision: 'edit', args }));
        else say('That is not a JSON object.');
      } else return false;
      return true;
    },
  };
}

type Parts = readonly [head: Row[], body: Row[], foot: Row[]];

function approvalRows(approval: Approval, columns: number, mode: Mode, choice: number): Parts {
  const { name, reason, effects, preview, remembers } = approval;
  const what = effects.length > 0 ? ` (${effects.join(', ')})` : '';
  const head = wrapRow(
    [spanOf('? ', styles.yellow), spanOf(showHidden(name), styles.bold), spanOf(`${showHidden(what)} needs your approval: ${showHidden(reason)}`)],
    columns,
  );
  const body =
    preview?.kind === 'diff'
      ? viewRows({ blocks: [{ kind: 'diff', path: showHidden(preview.path), diff: showHidden(preview.diff) }] }, columns)
      : linesOf(showHidden(approvalText(approval))).flatMap((row) => wrapRow(row, columns, { first: [spanOf('  ')], rest: [spanOf('  ')] }));
  if (mode === 'always') return [head, body, alwaysRows(approval, choice, columns)];
  if (mode !== 'judge') return [head, body, []];
  const always: [string, string][] = remembers === undefined ? [] : [['a', 'always …']];
  const network: [string, string][] = networkDecision(approval) ? [['w', 'approve with network']] : [];
  return [head, body, [keysRow([['y', 'approve'], ...network, ...always, ['e', 'edit'], ['n', 'deny'], ['Esc', 'stop the turn']])]];
}

/** Returns the rows with the full text of the rule and its scopes. */
function alwaysRows(approval: Approval, choice: number, columns: number): Row[] {
  const { name, always = name, remembers = '' } = approval;
  const choices = ruleChoices(approval);
  const inset = { first: [spanOf('  ')], rest: [spanOf('  ')] };
  return [
    ...wrapRow([spanOf('Always '), spanOf(oneLine(showHidden(always)), styles.bold)], columns, inset),
    ...choiceRows(
      choices.map(({ text }) => text),
      choice,
      columns,
    ),
    ...wrapRow([spanOf(showHidden(ruleMeaning(remembers)), styles.dim)], columns, inset),
    keysRow([
      [`1-${choices.length}, ↑ ↓ Enter`, 'choose'],
      ['Esc', 'goes back'],
    ]),
  ];
}

function choiceRows(options: readonly string[], choice: number, columns: number): Row[] {
  return options.flatMap((option, at) =>
    wrapRow([spanOf(oneLine(showHidden(option)), at === choice ? styles.reverse : styles.plain)], columns, {
      first: [spanOf(`  ${at + 1}) `)],
      rest: [spanOf('     ')],
    }),
  );
}

function questionRows({ prompt, options = [] }: Question, choice: number, columns: number): Parts {
  const head = linesOf(showHidden(prompt), styles.bold).flatMap((row, at) =>
    wrapRow(row, columns, { first: [spanOf(at === 0 ? '? ' : '  ', styles.yellow)], rest: [spanOf('  ')] }),
  );
  const body = choiceRows(options, choice, columns);
  const keys: [string, string][] = options.length > 0 ? [['1-9, ↑ ↓ Enter', 'choose'], ['or type', 'your own answer']] : [['Enter', 'answers']]; // prettier-ignore
  return [head, body, [keysRow(keys)]];
}

/** Returns a row of keys: `  y approve  n deny`. */
export function keysRow(keys: readonly (readonly [key: string, does: string])[]): Row {
  return keys.flatMap(([key, does]) => [spanOf(`  ${key} `, styles.bold), spanOf(does, styles.dim)]);
}

/** Returns the editable text of a call: a command as plain text, other arguments as JSON. */
function editable({ args }: Approval): string {
  const { command } = args;
  return typeof command === 'string' ? command : JSON.stringify(args, undefined, 2);
}

function edited({ args }: Approval, text: string): Record<string, unknown> | undefined {
  if (typeof args['command'] === 'string') return { ...args, command: text };
  const given = jsonOf(text);
  return isRecord(given) ? { ...given } : undefined;
}
