// Tracks the activity of a running turn for the vault.
import { BoundedMap } from '#lib/values';
import type { Answer, Denial, ToolCall, Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { VaultSettings } from '../ports.ts';

/** A finished turn, as the input of the automatic note. */
export interface FinishedTurn {
  readonly chatId: string;
  readonly turnId: string;
  readonly question: string;
  readonly answer: string;
  /** URLs of the pages that the turn read. */
  readonly sources: readonly string[];
  /** Whether the answer may contain external content. */
  readonly isForeign: boolean;
}

export interface TurnWatch {
  /** Refuses `vault_write` after the limit of the turn was reached. */
  guard(call: ToolCall): Denial | undefined;
  see(outcome: ToolOutcome, call: ToolCall): undefined;
  hear(answer: Answer, turn: Turn): undefined;
  /** Returns the input for an automatic note; `undefined` if the policy requires no note. */
  finish(turn: Turn, end: TurnEnd): FinishedTurn | undefined;
  isTainted(turnId: string): boolean;
  countWrite(turnId: string): void;
}

interface Seen {
  answer: string;
  usedWeb: boolean;
  wroteNote: boolean;
  readonly sources: Set<string>;
}

const key = 'vault';
/** Minimum length in characters at which the answer to a research request is worth a note. */
const substance = 280;
const aggressiveFrom = 3;
const maxSources = 20;
/** Maximum number of turns whose writes are counted; the oldest are dropped. */
const maxTurns = 200;

/** @param settings live values of the settings */
export function createTurnWatch(settings: VaultSettings): TurnWatch {
  const writing = new BoundedMap<string, { isTainted: boolean; writes: number }>(maxTurns);

  return {
    guard({ tool, turn }) {
      if (tool.plugin !== 'vault' || tool.name !== 'vault_write') return undefined;
      const known = writing.get(turn.turnId) ?? { isTainted: false, writes: 0 };
      known.isTainted = turn.isTainted;
      writing.set(turn.turnId, known);
      if (known.writes < settings.writeBudget) return undefined;
      return {
        deny: `This turn reached its limit of ${known.writes} written notes.`,
        hint: 'Stop writing notes; report what else to store.',
      };
    },

    see(outcome, { tool, args, turn }) {
      if (settings.autoWrite === 'off' || !turn.isRoot || !outcome.ok) return;
      const seen = seenOf(turn);
      if (tool.name === 'vault_write') seen.wroteNote = true;
      if (!tool.traits.includes('reads_web')) return;
      seen.usedWeb = true;
      const { url } = args;
      if (typeof url === 'string' && /^https?:\/\//i.test(url) && seen.sources.size < maxSources) seen.sources.add(url);
    },

    hear(answer, turn) {
      if (settings.autoWrite !== 'off' && turn.isRoot) seenOf(turn).answer = answer.text;
    },

    finish(turn, end) {
      writing.delete(turn.turnId);
      const seen = turn.notes.get(key) as Seen | undefined;
      if (!seen || settings.autoWrite === 'off' || end.reason !== 'done' || seen.wroteNote) return undefined;
      const answer = seen.answer.trim();
      const isResearch = seen.usedWeb && answer.length >= substance;
      const isWork = settings.autoWrite === 'aggressive' && turn.toolCount >= aggressiveFrom && answer !== '';
      if (!isResearch && !isWork) return undefined;
      return { chatId: turn.chatId, turnId: turn.turnId, question: turn.text, answer, sources: [...seen.sources], isForeign: turn.isTainted || seen.usedWeb };
    },

    isTainted: (turnId) => writing.get(turnId)?.isTainted === true,
    countWrite(turnId) {
      const known = writing.get(turnId);
      if (known) known.writes++;
    },
  };
}

function seenOf(turn: Turn): Seen {
  const known = turn.notes.get(key) as Seen | undefined;
  if (known) return known;
  const seen: Seen = { answer: '', usedWeb: false, wroteNote: false, sources: new Set() };
  turn.notes.set(key, seen);
  return seen;
}
