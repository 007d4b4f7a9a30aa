// Builds the view of an explanation: sentences, sources, parts, and derived items with delete actions.
import { clip } from '#lib/text';
import type { SlashAnswer, SlashContext } from 'agent-harness/plugins/commands';
import type { Block, View, ViewAnswer, ViewCall, ViewContext } from 'agent-harness/plugins/views';
import { viewMarkdown, viewText } from 'agent-harness/view';
import type { WhyAnswer, WhyDerived, WhyPart, WhyQuestion, WhySource } from './contract.ts';
import type { OpenedWhy } from './open-why.ts';
import { deletable, forgetAll, offersOf, type ViewQuestion } from './why-offers.ts';
import { parameters } from './why-parameters.ts';

type Item = Extract<Block, { kind: 'list' }>['items'][number];
type RowAction = NonNullable<Extract<Block, { kind: 'list' }>['rowActions']>[number];
type KindOfPart = WhyPart['kind'];

const sourceWords: Readonly<Record<WhySource['kind'], string>> = {
  user: 'Your message',
  workspace: 'The workspace',
  secret: 'A secret',
  web: 'The web',
  service: 'A service',
  teammate: 'Another person',
  memory: 'The memory',
  task: 'A task',
  file: 'A file',
  setting: 'A setting',
};
const saidTitle = /* t */ 'Messages and calls';
const partTitles: readonly (readonly [string, readonly KindOfPart[]])[] = [
  [/* t */ 'Model input', ['section']],
  [/* t */ 'Sentence by sentence', ['sentence']],
  [saidTitle, ['message', 'answer', 'call', 'note']],
  [/* t */ 'Changes by plugins', ['change']],
];
const rowActions: readonly RowAction[] = [
  { id: 'delete', label: /* t */ 'Delete', kind: 'danger', confirm: /* t */ 'Delete this note? You can restore it for 30 days.' },
  { id: 'delete-text', label: /* t */ 'Delete', kind: 'danger', confirm: /* t */ 'Delete this note? It cannot be restored.' },
];
const mostItems = 480;
const longest = 1_900;

/** Parses the subject in a link or a command, such as `call call_1` or `section turn_1 rules`; any other words count as a sentence. */
export function readAbout(words: string): WhyQuestion {
  const [, kind = '', id = ''] = /^(turn|call|message|note|source|section)\s+(\S[\s\S]*)$/.exec(words.trim()) ?? [];
  if (words.trim() === 'chat') return { of: 'chat' };
  if (kind === '') return words.trim() === '' ? {} : { text: words.trim() };
  if (kind !== 'section') return { [kind]: id };
  const [, turn = '', section = ''] = /^(\S+)\s+(\S[\s\S]*)$/.exec(id) ?? [];
  return { turn, section };
}

export async function readView(parts: OpenedWhy, context: ViewContext): Promise<View> {
  const question = questionOf(context);
  if (!question) return { title: 'Why', blocks: [{ kind: 'text', text: /* t */ 'There is no chat yet.' }] };
  return viewOf(parts, await parts.explain(question), question);
}

export async function actInView(parts: OpenedWhy, { action, row }: ViewCall, context: ViewContext): Promise<ViewAnswer> {
  const question = questionOf(context);
  if (!question) return undefined;
  const answer = await parts.explain(question);
  if (!rowActions.some(({ id }) => id === action))
    return offersOf(parts, answer, question)
      .find((offer) => offer.action.id === action)
      ?.run();
  const chosen = deletable(answer.derived).filter(({ key }) => key === row);
  return chosen.length === 0 ? undefined : { message: await forgetAll(parts, chosen) };
}

export async function answerCommand(parts: OpenedWhy, { args, chatId }: SlashContext): Promise<SlashAnswer> {
  const question = { chatId, ...readAbout(args) };
  const values = { about: args, chat: chatId, text: '' };
  const view: View = { name: 'why', ...viewOf(parts, await parts.explain(question), question), parameters: { input: parameters, values } };
  return { text: viewText(view, { columns: 80, command: '/view' }), kept: viewMarkdown(view, '/view'), view };
}

function viewOf(parts: OpenedWhy, answer: WhyAnswer, question: ViewQuestion): View {
  const { title, says, sources, derived } = answer;
  const actions = offersOf(parts, answer, question).map(({ action }) => action);
  const listed = partTitles.flatMap(([name, kinds]) => {
    const of = answer.parts.filter(({ kind }) => kinds.includes(kind));
    return of.length === 0 ? [] : [list(question.text !== undefined && name === saidTitle ? /* t */ 'Occurrences' : name, of.map(partItem))];
  });
  const deletes = rowActions.filter(({ id }) => derived.some((one) => deletedBy(one) === id));
  return {
    title: 'Why',
    blocks: [
      { kind: 'text', title: clip(title, 190), text: clip(says.join('\n'), 19_000), isPlain: true },
      ...(sources.length === 0 ? [] : [list(/* t */ 'Sources', sources.map(sourceItem))]),
      ...listed,
      ...(derived.length === 0 ? [] : [{ ...list(/* t */ 'Derived items', derived.map(derivedItem)), rowActions: deletes }]),
    ],
    ...(actions.length === 0 ? {} : { actions }),
  };
}

function questionOf({ parameters: { text = '', about = '', chat = '' }, chatId }: ViewContext): ViewQuestion | undefined {
  const of = chat === '' ? chatId : String(chat);
  return of === undefined ? undefined : { chatId: of, ...readAbout(String(about)), ...(text === '' ? {} : { text: String(text) }) };
}

function list(title: string, items: readonly Item[]): Extract<Block, { kind: 'list' }> {
  return { kind: 'list', title, items: items.slice(0, mostItems) };
}

function sourceItem({ kind, ref, quote, field, asks }: WhySource): Item {
  const where = field === undefined || field === '' ? '' : `, in its argument ${field}`;
  return {
    text: clip(quote === undefined ? ref : `“${quote}”`, longest),
    detail: clip(`${sourceWords[kind]}${where}${quote === undefined ? '' : `: ${ref}`}`, longest),
    ...opensOf(asks),
  };
}

function partItem({ text, by, asks }: WhyPart): Item {
  return { text: clip(text, longest), ...(by === '' ? {} : { detail: clip(by, longest) }), ...opensOf(asks) };
}

/** Returns the delete action of a row; `undefined` for items that cannot be deleted here. */
function deletedBy({ kind, isYours }: WhyDerived): string | undefined {
  if (kind === 'summary' || isYours) return undefined;
  return kind === 'note' ? 'delete' : 'delete-text';
}

function derivedItem(one: WhyDerived): Item {
  const { kind, id, key, text, how } = one;
  const action = deletedBy(one);
  return {
    id: key,
    text: clip(kind === 'summary' ? text : `${id}: ${text}`, longest),
    detail: clip(how, longest),
    actions: action === undefined ? [] : [action],
    ...(kind === 'summary' ? {} : opensOf(kind === 'note' ? { note: id } : { source: id })),
  };
}

function opensOf(asks: WhyQuestion | undefined): Pick<Item, 'opens'> {
  if (!asks) return {};
  const { chatId = '', text = '', turn, section, ...others } = asks;
  const [kind, id] = Object.entries(others)[0] ?? (section === undefined ? ['turn', turn] : ['section', `${turn ?? ''} ${section}`]);
  return { opens: { parameters: { chat: chatId, text, about: id === undefined ? '' : `${kind} ${id}` } } };
}
