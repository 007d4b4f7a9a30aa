// Collects excerpts of a turn's tool outputs as evidence for the critic.
import { textStart } from '#lib/text';
import { BoundedMap } from '#lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

export interface Excerpt {
  readonly tool: string;
  /** Arguments of the call as truncated JSON. */
  readonly args: string;
  readonly ok: boolean;
  /** Beginning of the output that the model read. */
  readonly text: string;
}

export interface TurnEvidence {
  readonly request: string;
  /** Excerpts, oldest first. */
  readonly excerpts: readonly Excerpt[];
  /** Whether the turn contains external content. */
  readonly isUntrusted: boolean;
}

export interface EvidenceStore {
  note(outcome: ToolOutcome, call: ToolCall): void;
  of(turnId: string): TurnEvidence | undefined;
  forget(turnId: string): void;
}

/** Maximum length of an excerpt in UTF-16 code units. */
const maxText = 4_000;
const maxArgs = 400;
/** Maximum number of excerpts; the latest ones are kept, because answers are rarely based on older ones. */
const maxExcerpts = 24;
const maxTurns = 100;

export function createEvidenceStore(): EvidenceStore {
  const turns = new BoundedMap<string, { request: string; excerpts: Excerpt[]; isUntrusted: boolean }>(maxTurns);
  return {
    note(outcome, { tool, args, turn }) {
      if (tool.plugin === 'critic') return;
      const known = turns.get(turn.turnId) ?? { request: turn.text, excerpts: [], isUntrusted: false };
      turns.set(turn.turnId, known);
      const text = outcome.ok ? outcome.output : outcome.error;
      known.excerpts.push({ tool: tool.name, args: textStart(JSON.stringify(args), maxArgs), ok: outcome.ok, text: textStart(text, maxText) });
      if (known.excerpts.length > maxExcerpts) known.excerpts.shift();
      known.isUntrusted ||= turn.isTainted || outcome.isUntrusted === true;
    },
    of: (turnId) => turns.get(turnId),
    forget: (turnId) => void turns.delete(turnId),
  };
}
