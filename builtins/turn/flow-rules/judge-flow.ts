// Decides about a call by where its text comes from, and says so.
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import type { FoundOrigins, OriginSpan, Origins, SentPieces, TextOrigin } from 'agent-harness/builtins/turn/origins';
import { createSerialQueues } from 'agent-harness/lib/async';
import { oneLine } from 'agent-harness/lib/text';
import { BoundedMap } from 'agent-harness/lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import { leavingOf, wayOf, type Destination, type Leaving, type LeavingText } from './destinations.ts';
import { sourceOf, type FlowTable, type FlowVerdict, type Source } from './flow-table.ts';

export interface FlowJudgeParts {
  readonly origins: Origins;
  readonly steering: SteeringFiles | undefined;
  readonly table: FlowTable;
}

export interface FlowJudge {
  /** Rejects where it cannot be told; then the call is refused. */
  decide(call: ToolCall): Promise<RuleVerdict | undefined>;
  /** The call is over. */
  ended(call: Pick<ToolCall, 'callId' | 'turn' | 'hasRun'>): void;
  forget(chatId: string): void;
}

/** A text that a call carries, found elsewhere. */
interface Carried {
  readonly from: Source;
  /** For the person. */
  readonly sentence: string;
}

const mostAsked = 200;
const mostChats = 500;
const shownParts = 3;
const longestExcerpt = 80;
/** A prefix and a ULID, as the storage makes them. */
const ourId = /^[a-z]{2,10}_[0-9A-HJKMNP-TV-Z]{26}$/;

export function createFlowJudge({ origins, steering, table }: FlowJudgeParts): FlowJudge {
  /** What the calls of a chat sent, for secrets that leave a piece at a time. */
  const sent = new BoundedMap<string, SentPieces>(mostChats);
  /** Calls that wait for an approval, by id. */
  const asked = new BoundedMap<string, Leaving>(mostAsked);
  /** Calls of one reply are judged one after the other, so each counts what those before it send. */
  const judging = createSerialQueues<string>();

  async function search({ turn: { chatId, workspaceRoot } }: Pick<ToolCall, 'turn'>, { to, texts, namesFiles }: Leaving): Promise<FoundOrigins> {
    const before = to === 'address' || to === 'external' ? sent.get(chatId) : undefined;
    return origins.find(
      { chatId, workspaceRoot },
      texts.map(({ text }) => text),
      { namesFiles, ...(before ? { sent: before } : {}) },
    );
  }

  async function judge(call: ToolCall, leaving: Leaving): Promise<RuleVerdict | undefined> {
    const { chatId } = call.turn;
    const found = await search(call, leaving);
    const carried = carriedBy(leaving, found, sent.has(chatId));
    const judged = await Promise.all(carried.map(async (one) => ({ ...one, then: await table.verdictOf(one.from, leaving.to) })));
    const verdict = verdictOf(judged, leaving.to);
    // A call that waits for an approval has sent nothing yet.
    if (verdict?.verdict === 'ask') asked.set(call.callId, leaving);
    if (!verdict && leaves(leaving)) sent.set(chatId, found.sent);
    return verdict;
  }

  return {
    async decide(call) {
      const way = wayOf(call, steering);
      return way && judging.run(call.turn.chatId, () => judge(call, leavingOf(call, way)));
    },
    ended({ callId, turn, hasRun }) {
      const leaving = asked.get(callId);
      asked.delete(callId);
      if (!leaving || !hasRun || !leaves(leaving)) return;
      const add = async (): Promise<unknown> => sent.set(turn.chatId, (await search({ turn }, leaving)).sent);
      // A journal that cannot be read refuses the next call, too.
      judging.run(turn.chatId, add).catch(() => undefined);
    },
    forget: (chatId) => void sent.delete(chatId),
  };
}

const leaves = ({ to }: Leaving): boolean => to === 'address' || to === 'external';

function carriedBy({ texts, limit }: Leaving, found: FoundOrigins, hasSent: boolean): Carried[] {
  const whole = texts.flatMap((one, at) => (found.spans[at] ?? []).flatMap((span) => carriedIn(one, span)));
  const piecesOf = hasSent ? 'With what was sent before, the call carries out' : 'The call contains';
  const pieces = found.pieces.map((origin): Carried => ({ from: 'secret', sentence: `${piecesOf} ${nameOf(origin)}, in pieces.` }));
  // What cannot be searched may contain a secret, so the same rule decides about it.
  const unsearched = [limit, found.limit].flatMap((sentence): Carried[] => (sentence === undefined ? [] : [{ from: 'secret', sentence }]));
  return [...(whole.some(({ from }) => from === 'secret') ? [] : pieces), ...unsearched, ...whole];
}

function carriedIn({ text, what, isAddress }: LeavingText, { origin, through, isWhole, start, end }: OriginSpan): Carried[] {
  const from = sourceOf(origin);
  // A link that was shown may be followed, and a chat or a turn named by its id: that sends nothing.
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
  // A command asks anyway, unless it only reads or a person let exactly it through.
  const yields = verdict === 'ask' && to === 'command' && those.every(({ from }) => from !== 'secret');
  return { verdict, reason, ...(yields ? { yields } : {}) };
}

function writtenIn(through: string | undefined): string {
  if (through === undefined) return '';
  return /^(?:by|in) /.test(through) ? `, ${through}` : `, written in ${through}`;
}

/** For people, in a sentence; never a secret itself. */
function nameOf({ kind, ref, name }: TextOrigin): string {
  if (kind === 'secret') return name === undefined ? `a secret from ${ref}` : `${name} from ${ref}`;
  if (kind === 'memory') return `text from the note ${ref}, which rests on text from outside`;
  return `text from ${ref}`;
}
