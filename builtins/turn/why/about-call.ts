// Explains a call: what requested, approved and changed it, and the sources of the texts in its arguments.
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import { callText, decisionText } from 'agent-harness/transcript';
import type { WhyAnswer, WhyPart } from './contract.ts';
import { derivedNotesOf, repeats, summaryOf } from './derived-of.ts';
import { readingOf, sentBy, type KnownChat } from './known-chat.ts';
import type { SaidAnswer, SeenCall, SeenChat, SeenTask } from './read-chat.ts';

const mostTexts = 50;
const deepest = 5;
const longestText = 160;

export async function aboutCall(known: KnownChat, call: SeenCall): Promise<WhyAnswer> {
  const { name, args, callId, turnId, question, task } = call;
  const parent = task && known.callOf(task.callId);
  const first = task && known.entries.find((entry) => entry.kind === 'message' && entry.turnId === turnId);
  const answer = known.messageOf(call.messageId);
  const plugin = known.parts.services.tools.find(name)?.plugin;
  const steps = known.provenanceOf(turnId)?.steps ?? [];
  const isDirect = steps.some(({ hook, what }) => hook === 'turn.intercept' && what.includes('answer'));
  const sources = await known.sourcesOf(textsIn(args).slice(0, mostTexts), call);
  const derived = await derivedNotesOf(known, (row) =>
    row.callId === callId ? 'This call stored it.' : repeats(row, (source) => source.callId === callId, 'words from the result of this call'),
  );
  const { says, ...reading } = readingOf(known, callId);
  return {
    title: `Why the call ${oneLine(`${name} ${callText({ args })}`, 80)}`.trim(),
    says: [
      ...says,
      `${isDirect ? 'A person made the call with a command' : 'The model made the call'}${inTask(task)}${plugin === undefined ? '' : `; the tool belongs to the plugin ${plugin}`}.`,
      ...decidedBy(known, call),
      ...(question
        ? [`It asked: “${oneLine(question.prompt, 200)}”${question.answer === undefined ? '' : `; the answer was: “${oneLine(question.answer, 200)}”`}`]
        : []),
      ...(call.result?.isOutside ? [/* t */ 'Its result is external content.'] : []),
      sources.length > 0
        ? /* t */ 'Parts of the arguments come from the sources below.'
        : /* t */ 'The model wrote the arguments: nothing in them repeats what the chat contained before.',
    ],
    parts: [
      ...(answer ? [entryPart(known, answer, task ? /* t */ 'The task wrote it with the call.' : /* t */ 'The model wrote it with the call.')] : []),
      ...(parent && task ? [entryPart(known, parent, `This call started the task with the goal: “${oneLine(task.goal, 300)}”`)] : []),
      ...(first ? [entryPart(known, first)] : []),
      { kind: 'message', text: /* t */ 'The turn of the call', by: '', asks: { turn: turnId } },
      ...known.entries.filter((entry) => entry.kind === 'call' && entry.task?.callId === callId).map((entry) => entryPart(known, entry)),
      ...steps
        .filter((step) => step.callId === callId)
        .map(({ plugin: by, hook, what }): WhyPart => {
          return { kind: 'change', text: `${by} changed its result: ${what.join(', ')}`, by: `At the hook ${hook}.`, plugin: by, hook };
        }),
    ],
    sources,
    derived: [...derived, ...(task ? [] : summaryOf(known, call))],
    // The model reads the conversation of a task only until the call that started it ends.
    ...(call.result && !task ? reading : {}),
  };
}

/** Returns a message, an answer or a call as a linked part. @param by description of the author; default: derived from the entry */
export function entryPart(known: KnownChat, entry: SeenChat['entries'][number], by = authorOf(known, entry)): WhyPart {
  if (entry.kind !== 'call') {
    const plugin = entry.kind === 'message' ? entry.origin?.plugin : undefined;
    const part = { kind: entry.kind, text: oneLine(entry.text, longestText), by, asks: { message: entry.messageId } };
    return plugin === undefined ? part : { ...part, plugin };
  }
  const plugin = known.parts.services.tools.find(entry.name)?.plugin;
  const text = oneLine(`${entry.name} ${callText(entry)}`, longestText).trim();
  return { kind: 'call', text, by, asks: { call: entry.callId }, ...(plugin === undefined ? {} : { plugin }) };
}

function authorOf(known: KnownChat, entry: SeenChat['entries'][number]): string {
  if (entry.kind === 'message') return sentBy(entry);
  if (entry.kind === 'answer') return writtenBy(entry);
  return [...(entry.task ? [`In the task “${oneLine(entry.task.goal, 60)}”.`] : []), ...decidedBy(known, entry)].join(' ');
}

export const writtenBy = ({ task }: SaidAnswer): string => (task ? `The model wrote it${inTask(task)}.` : /* t */ 'The model wrote it.');

/** Returns the end of a sentence about an author: the task, or an empty string if there is none. */
export function inTask(task: SeenTask | undefined): string {
  return task ? `, in the task “${oneLine(task.goal, 120)}”${task.model === '' ? '' : ` (${task.model})`}` : '';
}

/** Returns sentences that state why the call ran or did not run. */
export function decidedBy({ parts }: KnownChat, { name, asked, decided, result }: SeenCall): string[] {
  const why = asked ? [`An approval was requested: ${asked.reason ?? ''}${asked.source === undefined ? '' : ` The rule belongs to ${asked.source}.`}`] : [];
  const { decision, by, reason, source, principal } = decided ?? {};
  if (decision && by) {
    const said = decisionText({
      decision,
      by,
      ...(reason === undefined ? {} : { reason }),
      ...(principal?.name === undefined ? {} : { saidBy: principal.name }),
    });
    return [...why, said, ...(source === undefined || asked?.source !== undefined ? [] : [`The rule belongs to ${source}.`])];
  }
  if (asked) return [...why, result ? /* t */ 'The journal contains no decision about it.' : /* t */ 'It is waiting for a decision.'];
  const effects = parts.services.tools.find(name)?.effects ?? [];
  return [
    `No rule required an approval: the call ${effects.length === 0 ? 'has no known effects' : `can ${effects.join(', ')}`}${effects.includes('write') ? ', and can be undone' : ''}.`,
  ];
}

/** Returns each text in a call's arguments with the path of its field, such as `edits.0.newText`. */
export function textsIn(value: unknown, field = '', depth = 0): { readonly text: string; readonly field: string }[] {
  if (typeof value === 'string') return value === '' ? [] : [{ text: value, field }];
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, field, depth + 1));
  return isRecord(value) ? Object.entries(value).flatMap(([name, one]) => textsIn(one, field === '' ? name : `${field}.${name}`, depth + 1)) : [];
}
