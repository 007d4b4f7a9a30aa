// The sentences that stand for what was neither said nor done: for every client the same.
import type { Principal } from 'agent-harness/plugins/http';
import type { Approval, Decision, Entry, Origin, Rehearsal, RunningTurn, ToolEntry, UserEntry } from './state.ts';

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped by the user.',
  round_limit: 'Stopped: the limit of rounds or of time was reached.',
  interrupted: 'Interrupted: the server ended while this was running.',
  budget: 'Stopped: the budget is used up.',
  error: 'The turn failed.',
};

/** How a turn ended that ended otherwise than by its reply. @param reason of its end */
export function endingText(reason: string): string {
  return endings[reason] ?? reason;
}

/** The reason of the ending that an entry tells of; `undefined` for one that tells of none. */
export function endingReason({ kind, code = '', turnId }: Entry & { readonly code?: string }): string | undefined {
  if (kind === 'error') return turnId === undefined ? undefined : 'error';
  return kind === 'system' && Object.hasOwn(endings, code) ? code : undefined;
}

/** The name of whoever speaks, decides or answers; `undefined` for the owner, at whichever device. The one rule of who is named. */
export function nameOf(principal: Partial<Principal> | undefined): string | undefined {
  const { kind = 'owner', name, id = kind } = principal ?? {};
  return kind === 'owner' || kind === 'device' ? undefined : name === undefined || name === '' ? id : name;
}

interface Authored {
  readonly origin?: Origin;
  readonly principal?: Partial<Principal>;
  readonly untrusted?: boolean;
}

/** Whether the owner of this server wrote a text: not a plugin, not a guest, not an imported conversation. */
export function isOwnersWord({ origin, principal, untrusted = false }: Authored): boolean {
  return origin === undefined && nameOf(principal) === undefined && !untrusted;
}

/** Who wrote a message where it was not the owner: a plugin, with its reason, or somebody by name; and that it was spoken, where it was. */
export function authorText({ origin, saidBy, liveDictation = false }: Pick<UserEntry, 'origin' | 'saidBy' | 'liveDictation'>): string | undefined {
  if (origin) return originText(origin);
  if (!liveDictation) return saidBy;
  return saidBy === undefined ? 'by voice' : `${saidBy}, by voice`;
}

/** What was decided about a call, by whom and why, in a sentence. */
export function decisionText({ decision, by, reason = '', saidBy = 'you' }: Decision): string {
  const verb = { approve: 'Approved', edit: 'Approved with other arguments', reject: refusalText(by) }[decision];
  const isNobody = decision === 'reject' && by !== 'user';
  return `${verb}${isNobody ? '' : ` by ${by === 'user' ? saidBy : by}`}${reason === '' ? '.' : `: ${reason}`}`;
}

/** What stands before the answer to a question. */
export function answerLabel({ answeredBy }: Pick<ToolEntry, 'answeredBy'>): string {
  return answeredBy === undefined ? 'Answer:' : `Answer of ${answeredBy}:`;
}

/** What became of a call that was not let through, in a word or two: who decided matters. */
export function refusalText(by: string): string {
  return { timeout: 'Approval expired', abort: 'Stopped', rule: 'Refused by a rule', unattended: 'Not approved: no person was present' }[by] ?? 'Rejected';
}

/** Who speaks where it is not the person, and why. */
export function originText({ plugin, reason }: Origin): string {
  return `${plugin}: ${reason}`;
}

/**
 * What a person decides about, whole: a command with its folder, a diff, or the arguments as JSON. Characters that hide are in it as
 * they are; whoever shows it shows them.
 */
export function approvalText({ args, preview, rehearsal }: Pick<Approval, 'args' | 'preview' | 'rehearsal'>): string {
  const effects = rehearsal ? `\n${rehearsalText(rehearsal)}` : '';
  if (!preview) return JSON.stringify(args) + effects;
  const [head, body] =
    preview.kind === 'command' ? [`in ${preview.cwd}${preview.network === true ? ', with network' : ''}`, preview.command] : [preview.path, preview.diff];
  return [`${head}:`, ...body.split(/\r?\n/).map((line) => `  ${line}`)].join('\n') + effects;
}

/** What a call changed in a copy, whole, in lines. */
export function rehearsalText({ state, why = '', ok = true, output = '', changes = [], more = 0, diff = '' }: Rehearsal): string {
  const inset = (text: string): string[] => (text === '' ? [] : text.split(/\r?\n/).map((line) => `  ${line}`));
  if (state === 'running') return 'A preview is running in a copy of the workspace. Allowed now, the command runs without it.';
  if (state === 'none') return `What it would change is not shown: ${why}`;
  const rows = [...changes.map(changeText), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    ...(ok ? [] : ['The preview failed. Allowed, the command runs for real.']),
    rows.length === 0
      ? 'Tried in a copy, it changes nothing in the workspace.'
      : ok
        ? 'Tried in a copy, it changes this, and exactly this if you allow it:'
        : 'Until it failed, it changed this in the copy:',
    ...rows.map((row) => `  ${row}`),
    ...inset(diff),
    ...(output === '' ? [] : ['Output of the preview:', ...inset(output)]),
  ].join('\n');
}

/** Where a question cannot change once it is put, and so is put when what it shows is there. */
export const beingTriedText = 'It is being tried in a copy of the workspace. The question comes when that is over, after half a minute at most.';

/** One of its changes, in a line. */
export function changeText({ path, kind, from, what, why, added, removed }: NonNullable<Rehearsal['changes']>[number]): string {
  const lines = added === undefined || removed === undefined ? '' : ` +${added} -${removed}`;
  const words = { added: 'new', edited: 'edited', deleted: 'deleted', moved: 'moved', mode: 'mode', touched: 'new time' }[kind];
  return `${words}${what === undefined ? '' : ` (${what})`}: ${from === undefined ? '' : `${from} → `}${path}${lines}${why === undefined ? '' : `. ${why}`}`;
}

/** The decision that allows a command with network; `undefined` where it has network already, or where nothing keeps it from the network. */
export function networkDecision({
  args,
  preview,
}: Pick<Approval, 'args' | 'preview'>): { readonly decision: 'edit'; readonly args: Readonly<Record<string, unknown>> } | undefined {
  return preview?.kind === 'command' && preview.network === false ? { decision: 'edit', args: { ...args, network: true } } : undefined;
}

/** What an approval has to give, so that what was shown is what happens: the id of what was shown, or that nothing was. */
export function rehearsalSeen({ rehearsal }: Pick<Approval, 'rehearsal'>): { readonly rehearsal?: string } {
  return rehearsal === undefined ? {} : { rehearsal: rehearsal.id ?? 'none' };
}

/** For how much an answer may be remembered, in words; the nearest first. */
const ruleScopes = [
  { scope: 'chat', text: 'in this chat, until the program is started again' },
  { scope: 'workspace', text: 'in this folder: in every chat here, until you take it back' },
] as const;

/** A rule that an approval may leave behind. */
export interface RuleChoice {
  readonly remember: (typeof ruleScopes)[number]['scope'];
  /** Left out: the rule is about exactly the call. */
  readonly kind?: string;
  readonly text: string;
}

/** The narrowest subject and the nearest scope come first. */
export function ruleChoices(approval: Pick<Approval, 'kinds'>): RuleChoice[] {
  const exact = ruleScopes.map(({ scope, text }) => ({ remember: scope, text }));
  const kind = widestKind(approval);
  return kind === undefined ? exact : [...exact, ...exact.map(({ remember, text }) => ({ remember, kind, text: `${kind}: ${text}` }))];
}

/** What a rule is about that covers more than the call; the narrower kinds differ little from the call itself. */
export const widestKind = ({ kinds = [] }: Pick<Approval, 'kinds'>): string | undefined => kinds.at(-1);

/** What a rule would answer, as a sentence that fits every scope. */
export function ruleMeaning(remembers: string): string {
  return remembers.replace(' in this chat', '');
}

const waits: Readonly<Record<string, string>> = {
  model: 'Thinking',
  tool: 'Working with tools',
  approval: 'Waiting for your approval',
  answer: 'Waiting for your answer',
  retry: 'Waiting to ask the model again',
};

/** What goes on in a turn. @param waitingFor one that this client does not know is work, too */
export function waitingText(waitingFor: string): string {
  return waits[waitingFor] ?? 'Working';
}

export const unqueuedText = 'Taken back: it waited behind what was stopped, so it was not heard.';
export const resetText = 'From here on, what was said before is forgotten.';

/** Why the model is asked again, and when. @param now milliseconds since 1970 */
export function retryText({ attempt, of, reason, until }: NonNullable<RunningTurn['retry']>, now: number): string {
  const seconds = Math.ceil((Date.parse(until) - now) / 1_000);
  return `${reason.replace(/\.$/, '')}. Attempt ${attempt + 1} of ${of + 1} ${seconds > 0 ? `in ${seconds} s` : 'begins'}`;
}
