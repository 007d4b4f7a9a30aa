// Two runs of a turn beside each other, as a view that every client shows.
import { oneLine } from 'agent-harness/lib/text';
import { isRecord } from 'agent-harness/lib/values';
import type { ModelUsage } from 'agent-harness/plugins/models';
import type { Block, View } from 'agent-harness/plugins/views';
import { handle, type ChatEvent } from 'agent-harness/transcript';
import type { SaidEvent } from './player-types.ts';
import type { ShownRequest } from './record-types.ts';
import type { Difference, Replayed } from './played-types.ts';
import type { WhatIf } from './what-if.ts';

const longest = 300;
/** So much of what is the same stands before a difference; a terminal shows some fifty signs of each. */
const lead = 20;
const mostRows = 200;

export function replayedView({ turnId, events, others, difference }: Replayed): View {
  const rest = others > 0 ? ` ${others} more events of the turn are of others than its loop, and are not compared.` : '';
  const text = difference ? `The turn goes differently: ${placeOf(difference)}.` : `Byte-equal, ${events.length} events.${rest}`;
  return {
    title: 'Replay',
    blocks: [{ kind: 'text', text }, { kind: 'fields', fields: [{ label: 'Turn', value: turnId }] }, ...(difference ? [differenceTable(difference)] : [])],
  };
}

export function placeOf({ at, recorded, replayed }: Difference): string {
  if (recorded === undefined) return `event ${at + 1} is one more than was recorded`;
  return replayed === undefined ? `it ends before event ${at + 1}` : `event ${at + 1} is another one`;
}

function differenceTable({ recorded = '', replayed = '' }: Difference): Block {
  const [before, now] = fromDifference(recorded, replayed);
  return {
    kind: 'fields',
    title: 'The first difference',
    fields: [
      { label: 'Recorded', value: before },
      { label: 'Replayed', value: now },
    ],
  };
}

/** Each on one line, from shortly before the first sign that is another one in them. */
function fromDifference(one: string, other: string): readonly [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const from = Math.max(0, same - lead);
  const cut = (text: string): string => oneLine(`${from > 0 ? '…' : ''}${text.slice(from)}`, longest);
  return [cut(one), cut(other)];
}

export function whatIfView({ turnId, recorded, events, differs, notRun, asked, usage, unanswered, faults }: WhatIf): View {
  const rows = besideEachOther(stepsOf(recorded), stepsOf(events));
  return {
    title: 'What if',
    blocks: [
      { kind: 'text', text: summaryOf(differs, asked, notRun, unanswered) },
      ...(faults.length > 0 ? [{ kind: 'text' as const, text: `What went wrong there: ${faults.join(' ')}` }] : []),
      { kind: 'table', title: 'Beside each other', columns: [{ title: 'What' }, { title: 'Recorded' }, { title: 'Changed' }], rows },
      ...(differs ? [requestTable(differs)] : []),
      {
        kind: 'fields',
        title: 'Cost of this what-if',
        fields: [
          { label: 'Turn', value: turnId },
          { label: 'Requests', value: asked, kind: 'number' },
          { label: 'Tokens in', value: usage.input, kind: 'number' },
          { label: 'Tokens out', value: usage.output, kind: 'number' },
          { label: 'Cost', value: usage.cost ?? null, kind: 'money' },
        ],
      },
    ],
  };
}

/** What is of the same kind stands in one row, as long as both go the same way. */
function besideEachOther(one: readonly Step[], other: readonly Step[]): { readonly cells: (string | null)[] }[] {
  const common = one.findIndex((step, at) => step.what !== other[at]?.what);
  const same = common < 0 ? one.length : common;
  const rest = (steps: readonly Step[], cells: (text: string) => [string | null, string | null]) =>
    steps.slice(same).map(({ what, text }) => ({ cells: [what, ...cells(text)] }));
  const rows = [
    ...one.slice(0, same).map(({ what, text }, at) => ({ cells: [what, text, other[at]?.text ?? null] })),
    ...rest(one, (text) => [text, null]),
    ...rest(other, (text) => [null, text]),
  ];
  return rows.slice(0, mostRows);
}

function summaryOf(differs: WhatIf['differs'], asked: number, notRun: readonly string[], unanswered: readonly string[]): string {
  const others = unanswered.length > 0 ? ` Plugins that asked a model what the record has no answer for: ${unanswered.join(', ')}.` : '';
  const calls = (notRun.length > 0 ? ` Not run, since nothing runs in a replay: ${notRun.join(', ')}.` : '') + others;
  if (!differs) return `Nothing changes: every request is the one that was recorded.${calls}`;
  const round = Number(differs.key.split('/').at(-1)) + 1;
  return asked > 0
    ? `From request ${round} on the turn goes another way; the model was asked ${asked} times.${calls}`
    : `From request ${round} on the turn would go another way, and the record has no answer to it; with --ask-model (in a client: Ask the model) the model is asked.${calls}`;
}

function requestTable({ recorded, changed }: NonNullable<WhatIf['differs']>): Block {
  const parts = (request: ShownRequest | undefined): Map<string, string> =>
    new Map([
      ['Model', request?.model ?? ''],
      ['Reasoning effort', request?.effort ?? ''],
      ['System', request?.system ?? ''],
      ['Tools', (request?.tools ?? []).map(({ name }) => name).join(', ')],
      ...(request?.messages ?? []).map((message, at) => [`Message ${at + 1} (${message.role})`, message.text] as const),
    ]);
  const [one, other] = [parts(recorded), parts(changed)];
  const names = [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
  return {
    kind: 'table',
    title: 'What is different in the request',
    columns: [{ title: 'Part' }, { title: 'Recorded' }, { title: 'Changed' }],
    rows: names.slice(0, mostRows).map((name) => ({ cells: [name, ...differentParts(one.get(name), other.get(name))] })),
  };
}

function differentParts(one: string | undefined, other: string | undefined): readonly (string | null)[] {
  if (one !== undefined && other !== undefined) return fromDifference(one, other);
  return [one, other].map((text) => (text === undefined ? null : oneLine(text, longest)));
}

interface Step {
  readonly what: string;
  readonly text: string;
}

/** What it said and did, one after the other. */
function stepsOf(events: readonly SaidEvent[]): Step[] {
  const steps: { what: string; text: string; key: string }[] = [];
  for (const event of events) {
    handle(event as unknown as ChatEvent, {
      text({ channel, messageId, delta = '' }) {
        const what = channel === 'reasoning' ? 'Thinks' : 'Says';
        const key = `${messageId} ${what}`;
        const last = steps.find((step) => step.key === key);
        if (last) last.text += delta;
        else steps.push({ what, key, text: delta });
      },
      tool_start({ callId, name, args }) {
        if (args !== undefined) steps.push({ what: 'Calls', key: '', text: `${name} ${JSON.stringify(args)} (${callId})` });
      },
      tool_result: ({ ok, output }) => void steps.push({ what: ok === true ? 'Result' : 'Failed', key: '', text: String(output) }),
      turn_end: () => void steps.push({ what: 'Ends', key: '', text: endOf(event) }),
    });
  }
  return steps.map(({ what, text }) => ({ what, text: oneLine(text, longest) }));
}

function endOf(event: SaidEvent): string {
  const { reason, rounds, usage, error } = event as {
    readonly reason?: string;
    readonly rounds?: number;
    readonly usage?: ModelUsage;
    readonly error?: unknown;
  };
  const code = isRecord(error) && error['code'] !== 'differs' ? `: ${String(error['code'])}` : '';
  const cost = usage?.cost === undefined ? '' : `, ${usage.cost} USD`;
  const how = isRecord(error) && error['code'] === 'differs' ? 'not known from here on' : reason;
  return `${how}${code}, rounds: ${rounds ?? 0}, tokens: ${usage?.input ?? 0} in, ${usage?.output ?? 0} out${cost}`;
}
