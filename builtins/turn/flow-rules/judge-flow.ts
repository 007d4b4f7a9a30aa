// Decides whether a call may run, based on the origins of its text, and returns the reason.
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import type { FoundOrigins, OriginSpan, Origins, SentPieces, TextOrigin, TextPlace } from 'agent-harness/builtins/turn/origins';
import { createSerialQueues } from '#lib/async';
import { oneLine } from '#lib/text';
import { BoundedMap } from '#lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import { leaves, leavingOf, routeOf, type Destination, type Leaving, type LeavingText } from './destinations.ts';
import { sourceOf, type FlowTable, type FlowVerdict, type Source } from './flow-table.ts';
import { sentTexts, type SentTextParts } from './sent-texts.ts';

export interface FlowJudgeParts extends SentTextParts {
  readonly origins: Origins;
  readonly steering: SteeringFiles | undefined;
  readonly table: FlowTable;
}

export interface FlowJudge {
  /** Rejects if the origins cannot be determined; the call is then refused. */
  decide(call: ToolCall): Promise<RuleVerdict | undefined>;
  /** Called when a call ends: records the text that it sent. */
  ended(call: Pick<ToolCall, 'callId' | 'turn' | 'hasRun'>): void;
  forget(chatId: string): void;
}

/** A part of the text in a call that also occurs in a source. */
interface Carried {
  readonly from: Source;
  /** Sentence with the reason, for the user. */
  readonly sentence: string;
}

const mostAsked = 200;
const mostChats = 500;
const shownParts = 3;
const longestExcerpt = 80;
/** Matches ids that the storage creates: a prefix and a ULID. */
const ourId = /^[a-z]{2,10}_[0-9A-HJKMNP-TV-Z]{26}$/;

export function createFlowJudge({ origins, steering, table, ...journal }: FlowJudgeParts): FlowJudge {
  /** Text that the calls of a chat have sent, used to detect secrets that are sent in pieces. */
  const sent = new BoundedMap<string, SentPieces>(mostChats);
  /** Texts of calls that wait for an approval, by call id. */
  const asked = new BoundedMap<string, Leaving>(mostAsked);
  /** Calls in one reply are judged one after the other, so that each judgement covers the text of the earlier calls. */
  const judging = createSerialQueues<string>();

  async function search({ turn: { chatId, workspaceRoot } }: Pick<ToolCall, 'turn'>, leaving: Leaving): Promise<FoundOrigins> {
    const place = { chatId, workspaceRoot };
    const before = leaves(leaving) ? (sent.get(chatId) ?? (await sentBefore(place))) : undefined;
    const texts = leaving.texts.map(({ text }) => text);
    return origins.find(place, texts, { namesFiles: leaving.namesFiles, ...(before ? { sent: before } : {}) });
  }

  async function sentBefore(place: TextPlace): Promise<SentPieces | undefined> {
    let before: SentPieces | undefined;
    for (const texts of await sentTexts(place.chatId, place.workspaceRoot, journal))
      before = (await origins.find(place, texts, before ? { sent: before } : {})).sent;
    if (before) sent.set(place.chatId, before);
    return before;
  }

  async function judge(call: ToolCall, leaving: Leaving): Promise<RuleVerdict | undefined> {
    const { chatId } = call.turn;
    const found = await search(call, leaving);
    const carried = carriedBy(leaving, found, sent.has(chatId));
    const judged = await Promise.all(carried.map(async (one) => ({ ...one, then: await table.verdictOf(one.from, leaving.to) })));
    const verdict = verdictOf(judged, leaving.to);
    // A call that waits for an approval has not sent anything yet.
    if (verdict?.verdict === 'ask') asked.set(call.callId, leaving);
    if (!verdict && leaves(leaving)) sent.set(chatId, found.sent);
    return verdict;
  }

  return {
    async decide(call) {
      const route = routeOf(call, steering);
      return route && judging.run(call.turn.chatId, () => judge(call, leavingOf(call, route)));
    },
    ended({ callId, turn, hasRun }) {
      const leaving = asked.get(callId);
      asked.delete(callId);
      if (!leaving || !hasRun || !leaves(leaving)) return;
      const add = async (): Promise<unknown> => sent.set(turn.chatId, (await search({ turn }, leaving)).sent);
      // If the journal cannot be read, the next call is refused as well.
      judging.run(turn.chatId, add).catch(() => undefined);
    },
    forget: (chatId) => void sent.delete(chatId),
  };
}

function carriedBy({ texts, limit }: Leaving, found: FoundOrigins, hasSent: boolean): Carried[] {
  const whole = texts.flatMap((one, at) => (found.spans[at] ?? []).flatMap((span) => carriedIn(one, span)));
  const piecesOf = hasSent ? 'Together with text that was sent before, the call sends' : 'The call contains';
  const pieces = found.pieces.map((origin): Carried => ({ from: 'secret', sentence: `${piecesOf} ${nameOf(origin)}, in pieces.` }));
  // Content that was not searched may contain a secret, so the rule for secrets applies.
  const unsearched = [limit, found.limit].flatMap((sentence): Carried[] => (sentence === undefined ? [] : [{ from: 'secret', sentence }]));
  return [...(whole.some(({ from }) => from === 'secret') ? [] : pieces), ...unsearched, ...whole];
}

function carriedIn({ text, what, isAddress }: LeavingText, { origin, through, isWhole, start, end }: OriginSpan): Carried[] {
  const from = sourceOf(origin);
  // A call sends no text of its own if it follows a displayed link or names a chat or a turn by its id.
  const isNamed = (isAddress && isWhole) || ourId.test(text.slice(start, end).trim());
  if (from === undefined || (from !== 'secret' && isNamed)) return [];
  const excerpt = from === 'secret' || through !== undefined ? '' : `: “${oneLine(text.slice(start, end), longestExcerpt)}”`;
  return [{ from, sentence: `${what} contains ${nameOf(origin)}${writtenIn(through)}${excerpt}.` }];
}

function verdictOf(carried: readonly (Carried & { readonly then: FlowVerdict })[], to: Destination): RuleVerdict | undefined {
  const verdict = (['deny', 'ask'] as const).find((one) => carried.some(({ then }) => then === one));
  if (verdict === undefined) return undefined;
  const those = carried.filter(({ then }) => then === verdict);
  const reason = [...new Set(those.map(({ sentence }) => sentence))].slice(0, shownParts).join(' ');
  // A command requires approval anyway, unless it is read-only or the user has allowed exactly this command.
  const yields = verdict === 'ask' && to === 'command' && those.every(({ from }) => from !== 'secret');
  return { verdict, reason, ...(yields ? { yields } : {}) };
}

function writtenIn(through: string | undefined): string {
  if (through === undefined) return '';
  return /^(?:by|in) /.test(through) ? `, ${through}` : `, written in ${through}`;
}

/** Returns the origin of a text as a noun phrase for users; never contains the value of a secret. */
function nameOf({ kind, ref, name }: TextOrigin): string {
  if (kind === 'secret') return name === undefined ? `a secret from ${ref}` : `${name} from ${ref}`;
  if (kind === 'memory') return `text from the note ${ref}, which is based on external content`;
  return `text from ${ref}`;
}
