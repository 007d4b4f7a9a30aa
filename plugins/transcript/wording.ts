// Defines the sentences that describe states and decisions of a chat, the same for every client.
import type { Principal } from 'agent-harness/plugins/http';
import type { Approval, Decision, Entry, Origin, Rehearsal, RunningTurn, ToolEntry, UserEntry } from './state.ts';

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped by the user.',
  round_limit: 'Stopped: the limit of rounds or time was reached.',
  interrupted: 'Interrupted: the server ended while this was running.',
  budget: 'Stopped: the budget is used up.',
  error: 'The turn failed.',
};

/** Describes the end of a turn without a reply. @param reason reason for the end */
export function endingText(reason: string): string {
  return endings[reason] ?? reason;
}

/** Returns the reason for the ending that an entry describes; `undefined` for other entries. */
export function endingReason({ kind, code = '', turnId }: Entry & { readonly code?: string }): string | undefined {
  if (kind === 'error') return turnId === undefined ? undefined : 'error';
  return kind === 'system' && Object.hasOwn(endings, code) ? code : undefined;
}

/** Returns the name of an author or decider; `undefined` for the owner, on any device. All names are determined here. */
export function nameOf(principal: Partial<Principal> | undefined): string | undefined {
  const { kind = 'owner', name, id = kind } = principal ?? {};
  return kind === 'owner' || kind === 'device' ? undefined : name === undefined || name === '' ? id : name;
}

interface Authored {
  readonly origin?: Origin;
  readonly principal?: Partial<Principal>;
  readonly untrusted?: boolean;
}

/** Returns whether the owner of this server wrote the text: not a plugin, a guest or an imported conversation. */
export function isOwnersWord({ origin, principal, untrusted = false }: Authored): boolean {
  return origin === undefined && nameOf(principal) === undefined && !untrusted;
}

/** Describes the author of a message unless it is the owner (a plugin with its reason, or a person), and whether the message was dictated. */
export function authorText({ origin, saidBy, liveDictation = false }: Pick<UserEntry, 'origin' | 'saidBy' | 'liveDictation'>): string | undefined {
  if (origin) return originText(origin);
  if (!liveDictation) return saidBy;
  return saidBy === undefined ? 'by voice' : `${saidBy}, by voice`;
}

/** Returns one sentence about a decision on a call, with its author and reason. */
export function decisionText({ decision, by, reason = '', saidBy = 'you' }: Decision): string {
  const verb = { approve: 'Approved', edit: 'Approved with edited arguments', reject: refusalText(by) }[decision];
  const isNobody = decision === 'reject' && by !== 'user';
  return `${verb}${isNobody ? '' : ` by ${by === 'user' ? saidBy : by}`}${reason === '' ? '.' : `: ${reason}`}`;
}

/**
 * Returns the output of a call for users. Returns `undefined` if the call was not approved: that output is for the model, and the decision contains the reason.
 */
export function outputText({ decision, output }: Pick<ToolEntry, 'decision' | 'output'>): string | undefined {
  return decision?.decision === 'reject' ? undefined : output;
}

export function answerLabel({ answeredBy }: Pick<ToolEntry, 'answeredBy'>): string {
  return answeredBy === undefined ? 'Answer:' : `Answer of ${answeredBy}:`;
}

/** Describes, in one or two words and by decider, a call that was not approved. */
export function refusalText(by: string): string {
  return { timeout: 'Approval expired', abort: 'Stopped', rule: 'Refused by a rule', unattended: 'Not approved: no user was present' }[by] ?? 'Rejected';
}

/** Names the plugin that wrote a message, with its reason. */
export function originText({ plugin, reason }: Origin): string {
  return `${plugin}: ${reason}`;
}

/**
 * Returns the complete subject of an approval: a command with its folder, a diff, or the arguments as JSON. Hidden characters stay unchanged; the client makes
 * them visible.
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
  if (state === 'running') return 'A preview is running in a copy of the workspace. If you approve now, the command runs without a preview.';
  if (state === 'none') return `No preview: ${why}`;
  const rows = [...changes.map(changeText), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    ...(ok ? [] : ['The preview failed. If you approve, the command runs directly.']),
    rows.length === 0
      ? 'Preview (ran in a copy): no changes in the workspace.'
      : ok
        ? 'Preview (ran in a copy). Approving applies exactly these changes:'
        : 'Changes in the copy before the preview failed:',
    ...rows.map((row) => `  ${row}`),
    ...inset(diff),
    ...(output === '' ? [] : ['Output of the preview:', ...inset(output)]),
  ].join('\n');
}

/** Text for clients that cannot update an approval and therefore display it only when the preview is ready. */
export const previewRunningText = 'A preview is running in a copy of the workspace. The approval request follows within 30 seconds.';

/** Returns one line about a change. */
export function changeText({ path, kind, from, what, why, added, removed }: NonNullable<Rehearsal['changes']>[number]): string {
  const lines = added === undefined || removed === undefined ? '' : ` +${added} -${removed}`;
  const words = { added: 'new', edited: 'edited', deleted: 'deleted', moved: 'moved', mode: 'mode', touched: 'new time' }[kind];
  return `${words}${what === undefined ? '' : ` (${what})`}: ${from === undefined ? '' : `${from} → `}${path}${lines}${why === undefined ? '' : `. ${why}`}`;
}

/** Returns the decision that approves a command with network access; `undefined` if the command already has it, or nothing blocks it. */
export function networkDecision({
  args,
  preview,
}: Pick<Approval, 'args' | 'preview'>): { readonly decision: 'edit'; readonly args: Readonly<Record<string, unknown>> } | undefined {
  return preview?.kind === 'command' && preview.network === false ? { decision: 'edit', args: { ...args, network: true } } : undefined;
}

/** Returns the field of a decision with the id of the displayed preview, whose changes are then applied; `none` if no preview was displayed. */
export function rehearsalSeen({ rehearsal }: Pick<Approval, 'rehearsal'>): { readonly rehearsal?: string } {
  return rehearsal === undefined ? {} : { rehearsal: rehearsal.id ?? 'none' };
}

/** Scopes of an approval rule with their display texts, narrowest first. */
const ruleScopes = [
  { scope: 'chat', text: 'in this chat, until the server restarts' },
  { scope: 'workspace', text: 'in all chats of this folder, until you remove the rule' },
] as const;

/** A rule that an approval can create. */
export interface RuleChoice {
  readonly remember: (typeof ruleScopes)[number]['scope'];
  /** Kind of call to which the rule applies; default: exactly this call. */
  readonly kind?: string;
  readonly text: string;
}

/** Returns the choices, with the narrowest subject and scope first. */
export function ruleChoices(approval: Pick<Approval, 'kinds'>): RuleChoice[] {
  const exact = ruleScopes.map(({ scope, text }) => ({ remember: scope, text }));
  const kind = widestKind(approval);
  return kind === undefined ? exact : [...exact, ...exact.map(({ remember, text }) => ({ remember, kind, text: `${kind}: ${text}` }))];
}

/** Returns the widest kind of call to which a rule can apply; the narrower kinds hardly differ from the call itself. */
export const widestKind = ({ kinds = [] }: Pick<Approval, 'kinds'>): string | undefined => kinds.at(-1);

/** Returns a sentence about the calls to which a rule applies, without its scope. */
export function ruleMeaning(remembers: string): string {
  return remembers.replace(' in this chat', '');
}

const waits: Readonly<Record<string, string>> = {
  model: 'Thinking',
  tool: 'Working with tools',
  approval: 'Waiting for your approval',
  answer: 'Waiting for your answer',
  retry: 'Waiting to retry the model request',
};

/** Describes the state of a running turn. @param waitingFor an unknown value is treated as work in progress */
export function waitingText(waitingFor: string): string {
  return waits[waitingFor] ?? 'Working';
}

export const unqueuedText = 'Withdrawn: the turn before it was stopped, so the model did not get this message.';
export const resetText = 'The conversation was reset. The model no longer reads the messages above.';

/** Describes the reason and the time of the next attempt of a model request. @param now milliseconds since 1970 */
export function retryText({ attempt, of, reason, until }: NonNullable<RunningTurn['retry']>, now: number): string {
  const seconds = Math.ceil((Date.parse(until) - now) / 1_000);
  return `${reason.replace(/\.$/, '')}. Attempt ${attempt + 1} of ${of + 1} ${seconds > 0 ? `in ${seconds} s` : 'begins'}`;
}
