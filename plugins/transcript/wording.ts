// Defines the sentences for states and decisions of a chat, the same for every client.
import type { Principal } from 'agent-harness/plugins/http';
import type { Approval, Decision, Entry, Origin, Rehearsal, RunningTurn, ToolEntry, UserEntry } from './state.ts';

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped by the user.',
  round_limit: 'Stopped: the limit of rounds or of time was reached.',
  interrupted: 'Interrupted: the server ended while this was running.',
  budget: 'Stopped: the budget is used up.',
  error: 'The turn failed.',
};

/** Describes the end of a turn without a reply. @param reason of the end */
export function endingText(reason: string): string {
  return endings[reason] ?? reason;
}

/** Returns the reason of the ending that an entry describes; `undefined` for other entries. */
export function endingReason({ kind, code = '', turnId }: Entry & { readonly code?: string }): string | undefined {
  if (kind === 'error') return turnId === undefined ? undefined : 'error';
  return kind === 'system' && Object.hasOwn(endings, code) ? code : undefined;
}

/** Returns the name of an author or decider; `undefined` for the owner, on any device. The only rule for names. */
export function nameOf(principal: Partial<Principal> | undefined): string | undefined {
  const { kind = 'owner', name, id = kind } = principal ?? {};
  return kind === 'owner' || kind === 'device' ? undefined : name === undefined || name === '' ? id : name;
}

interface Authored {
  readonly origin?: Origin;
  readonly principal?: Partial<Principal>;
  readonly untrusted?: boolean;
}

/** Returns whether the owner of this server wrote a text: not a plugin, a guest or an imported conversation. */
export function isOwnersWord({ origin, principal, untrusted = false }: Authored): boolean {
  return origin === undefined && nameOf(principal) === undefined && !untrusted;
}

/** Names the author of a message, if not the owner: a plugin with its reason, or a person; and whether the message was dictated. */
export function authorText({ origin, saidBy, liveDictation = false }: Pick<UserEntry, 'origin' | 'saidBy' | 'liveDictation'>): string | undefined {
  if (origin) return originText(origin);
  if (!liveDictation) return saidBy;
  return saidBy === undefined ? 'by voice' : `${saidBy}, by voice`;
}

/** Returns one sentence about a decision on a call, with its author and reason. */
export function decisionText({ decision, by, reason = '', saidBy = 'you' }: Decision): string {
  const verb = { approve: 'Approved', edit: 'Approved with other arguments', reject: refusalText(by) }[decision];
  const isNobody = decision === 'reject' && by !== 'user';
  return `${verb}${isNobody ? '' : ` by ${by === 'user' ? saidBy : by}`}${reason === '' ? '.' : `: ${reason}`}`;
}

/** Returns the output of a call for people; `undefined` if the call was not approved: that output instructs the model, and the decision has the reason. */
export function outputText({ decision, output }: Pick<ToolEntry, 'decision' | 'output'>): string | undefined {
  return decision?.decision === 'reject' ? undefined : output;
}

/** Returns the label of the answer to a question. */
export function answerLabel({ answeredBy }: Pick<ToolEntry, 'answeredBy'>): string {
  return answeredBy === undefined ? 'Answer:' : `Answer of ${answeredBy}:`;
}

/** Describes a call that was not approved in one or two words, by decider. */
export function refusalText(by: string): string {
  return { timeout: 'Approval expired', abort: 'Stopped', rule: 'Refused by a rule', unattended: 'Not approved: no person was present' }[by] ?? 'Rejected';
}

/** Names the plugin that wrote a message, with its reason. */
export function originText({ plugin, reason }: Origin): string {
  return `${plugin}: ${reason}`;
}

/**
 * Returns the complete subject of an approval: a command with its folder, a diff, or the arguments as JSON. Hidden characters stay
 * unchanged; the client makes them visible.
 */
export function approvalText({ args, preview, rehearsal }: Pick<Approval, 'args' | 'preview' | 'rehearsal'>): string {
  const effects = rehearsal ? `\n${rehearsalText(rehearsal)}` : '';
  if (!preview) return JSON.stringify(args) + effects;
  const [head, body] =
    preview.kind === 'command' ? [`in ${preview.cwd}${preview.network === true ? ', with network' : ''}`, preview.command] : [preview.path, preview.diff];
  return [`${head}:`, ...body.split(/\r?\n/).map((line) => `  ${line}`)].join('\n') + effects;
}

/** Returns lines with all changes that a call made in a copy. */
export function rehearsalText({ state, why = '', ok = true, output = '', changes = [], more = 0, diff = '' }: Rehearsal): string {
  const inset = (text: string): string[] => (text === '' ? [] : text.split(/\r?\n/).map((line) => `  ${line}`));
  if (state === 'running') return 'A preview is running in a copy of the workspace. Allowed now, the command runs without it.';
  if (state === 'none') return `What it would change is not shown: ${why}`;
  const rows = [...changes.map(changeText), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    ...(ok ? [] : ['The preview failed. Allowed, the command runs for real.']),
    rows.length === 0
      ? 'Preview (ran in a copy): it changes nothing in the workspace.'
      : ok
        ? 'Preview (ran in a copy). Approving applies exactly these changes:'
        : 'Changes in the copy until the preview failed:',
    ...rows.map((row) => `  ${row}`),
    ...inset(diff),
    ...(output === '' ? [] : ['Output of the preview:', ...inset(output)]),
  ].join('\n');
}

/** For clients that cannot update an approval, and so show it only when the preview is ready. */
export const beingTriedText = 'A preview is running in a copy of the workspace. The approval request follows within 30 seconds.';

/** Returns one line about a change. */
export function changeText({ path, kind, from, what, why, added, removed }: NonNullable<Rehearsal['changes']>[number]): string {
  const lines = added === undefined || removed === undefined ? '' : ` +${added} -${removed}`;
  const words = { added: 'new', edited: 'edited', deleted: 'deleted', moved: 'moved', mode: 'mode', touched: 'new time' }[kind];
  return `${words}${what === undefined ? '' : ` (${what})`}: ${from === undefined ? '' : `${from} → `}${path}${lines}${why === undefined ? '' : `. ${why}`}`;
}

/** Returns the decision that approves a command with network; `undefined` if the command has network already, or nothing blocks it. */
export function networkDecision({
  args,
  preview,
}: Pick<Approval, 'args' | 'preview'>): { readonly decision: 'edit'; readonly args: Readonly<Record<string, unknown>> } | undefined {
  return preview?.kind === 'command' && preview.network === false ? { decision: 'edit', args: { ...args, network: true } } : undefined;
}

/** Returns the preview id for a decision, so that exactly the shown changes are applied; or `none` if no preview was shown. */
export function rehearsalSeen({ rehearsal }: Pick<Approval, 'rehearsal'>): { readonly rehearsal?: string } {
  return rehearsal === undefined ? {} : { rehearsal: rehearsal.id ?? 'none' };
}

/** Scopes of a remembered decision, in words, narrowest first. */
const ruleScopes = [
  { scope: 'chat', text: 'in this chat, until the program is started again' },
  { scope: 'workspace', text: 'in this folder: in every chat here, until you take it back' },
] as const;

/** A rule that an approval can create. */
export interface RuleChoice {
  readonly remember: (typeof ruleScopes)[number]['scope'];
  /** Left out: the rule is about exactly the call. */
  readonly kind?: string;
  readonly text: string;
}

/** Returns the choices, with the narrowest subject and scope first. */
export function ruleChoices(approval: Pick<Approval, 'kinds'>): RuleChoice[] {
  const exact = ruleScopes.map(({ scope, text }) => ({ remember: scope, text }));
  const kind = widestKind(approval);
  return kind === undefined ? exact : [...exact, ...exact.map(({ remember, text }) => ({ remember, kind, text: `${kind}: ${text}` }))];
}

/** Describes a rule that covers more than the call; the narrower kinds hardly differ from the call itself. */
export const widestKind = ({ kinds = [] }: Pick<Approval, 'kinds'>): string | undefined => kinds.at(-1);

/** Returns a sentence, for any scope, about the calls that a rule covers. */
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

/** Describes the state of a turn. @param waitingFor an unknown value counts as work */
export function waitingText(waitingFor: string): string {
  return waits[waitingFor] ?? 'Working';
}

export const unqueuedText = 'Taken back: it waited behind what was stopped, so it was not heard.';
export const resetText = 'From here on, what was said before is forgotten.';

/** Describes the reason and the time of a retry of the model. @param now milliseconds since 1970 */
export function retryText({ attempt, of, reason, until }: NonNullable<RunningTurn['retry']>, now: number): string {
  const seconds = Math.ceil((Date.parse(until) - now) / 1_000);
  return `${reason.replace(/\.$/, '')}. Attempt ${attempt + 1} of ${of + 1} ${seconds > 0 ? `in ${seconds} s` : 'begins'}`;
}
