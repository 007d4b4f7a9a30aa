// Decides about a call by where its text comes from, and says so.
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import type { Origins, TextOrigin, TextPlace } from 'agent-harness/builtins/turn/origins';
import { oneLine } from 'agent-harness/lib/text';
import { BoundedMap } from 'agent-harness/lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import { leavingOf, type Destination, type Leaving } from './destinations.ts';
import { sourceOf, type FlowTable, type FlowVerdict, type Source } from './flow-table.ts';
import { createSentTexts } from './sent-texts.ts';

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
const shownParts = 3;
const longestExcerpt = 80;
/** A prefix and a ULID, as the storage makes them. */
const ourId = /^[a-z]{2,10}_[0-9A-HJKMNP-TV-Z]{26}$/;

export function createFlowJudge({ origins, steering, table }: FlowJudgeParts): FlowJudge {
  const sent = createSentTexts();
  /** Calls that wait for a yes, by id. */
  const asked = new BoundedMap<string, Leaving>(mostAsked);

  async function carriedBy(call: ToolCall, { to, texts, namesFiles }: Leaving): Promise<Carried[]> {
    const { chatId, workspaceRoot } = call.turn;
    const place: TextPlace = { chatId, workspaceRoot };
    const leaves = to === 'address' || to === 'external';
    const own = texts.map(({ text }) => text);
    const before = leaves ? sent.begin(chatId, call.callId, own) : [];
    const whole = await Promise.all(
      texts.map(async ({ text, what, isAddress }) => {
        const spans = await origins.find(place, text, { namesFiles });
        return spans.flatMap(({ origin, through, isWhole, start, end }) => {
          const from = sourceOf(origin);
          // Who follows a link that somebody shows, or names a chat or a turn by its id, tells them nothing.
          const isNamed = (isAddress && isWhole) || ourId.test(text.slice(start, end).trim());
          if (from === undefined || (from !== 'secret' && isNamed)) return [];
          const excerpt = from === 'secret' || through !== undefined ? '' : `: “${oneLine(text.slice(start, end), longestExcerpt)}”`;
          return [{ from, sentence: `${what} contains ${nameOf(origin)}${wayOf(through)}${excerpt}.` }];
        });
      }),
    );
    const found = whole.flat();
    if (found.some(({ from }) => from === 'secret')) return found;
    const known = new Set((before.length === 0 ? [] : await origins.findPieces(place, before)).map(nameOf));
    const pieces = (await origins.findPieces(place, [...before, ...own])).filter((origin) => !known.has(nameOf(origin)));
    const piecesOf = before.length === 0 ? 'The call contains' : 'With what was sent before, the call carries out';
    return [...pieces.map((origin): Carried => ({ from: 'secret', sentence: `${piecesOf} ${nameOf(origin)}, in pieces.` })), ...found];
  }

  return {
    async decide(call) {
      const leaving = leavingOf(call, steering);
      if (!leaving) return undefined;
      const carried = await carriedBy(call, leaving);
      const judged = await Promise.all(carried.map(async (one) => ({ ...one, then: await table.verdictOf(one.from, leaving.to) })));
      const verdict = verdictOf(judged, leaving.to);
      // Until somebody says yes it has not left.
      if (verdict) sent.takeBack(call.turn.chatId, call.callId);
      if (verdict?.verdict === 'ask') asked.set(call.callId, leaving);
      return verdict;
    },
    ended({ callId, turn, hasRun }) {
      const leaving = asked.get(callId);
      asked.delete(callId);
      if (leaving && hasRun)
        sent.begin(
          turn.chatId,
          callId,
          leaving.texts.map(({ text }) => text),
        );
    },
    forget: (chatId) => sent.forget(chatId),
  };
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

function wayOf(through: string | undefined): string {
  if (through === undefined) return '';
  return /^(?:by|in) /.test(through) ? `, ${through}` : `, written in ${through}`;
}

/** For people, in a sentence; never a secret itself. */
function nameOf({ kind, ref, name }: TextOrigin): string {
  if (kind === 'secret') return name === undefined ? `a secret from ${ref}` : `${name} from ${ref}`;
  if (kind === 'memory') return `text from the note ${ref}, which rests on text from outside`;
  return `text from ${ref}`;
}
