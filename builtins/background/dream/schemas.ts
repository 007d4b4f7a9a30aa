// Defines the schemas of dream runs and of their wire events.
import * as Type from 'typebox';
import { countsOf } from './counts.ts';
import type { DreamChange, DreamRefusal, DreamRun } from './contract.ts';

const evidence = Type.Array(Type.Object({ chatId: Type.String(), entryId: Type.String(), quote: Type.String(), class: Type.String(), at: Type.String() }), {
  description: 'Quotes that support the note, with their sources.',
});
const words = <T extends string>(...names: readonly T[]) => Type.Unsafe<T>(Type.Union(names.map((name) => Type.Literal(name))));
const scope = words('chat', 'workspace', 'global');
const counts = { kept: Type.Integer(), waiting: Type.Integer(), deleted: Type.Integer(), refused: Type.Integer() };

export const runSchema = Type.Object({
  runId: Type.String(),
  state: words<DreamRun['state']>('started', 'applying', 'done', 'failed', 'undoing', 'undone'),
  asked: words<DreamRun['asked']>('idle', 'person'),
  startedAt: Type.String(),
  endedAt: Type.Optional(Type.String()),
  failure: Type.Optional(Type.Object({ reason: Type.String(), why: Type.String() })),
  sessions: Type.Array(Type.Object({ chatId: Type.String(), title: Type.String(), characters: Type.Integer() })),
  model: Type.Optional(Type.String()),
  tokens: Type.Optional(Type.Object({ input: Type.Number(), output: Type.Number() })),
  summary: Type.String(),
  counts: Type.Object(counts),
  changes: Type.Array(
    Type.Object({
      kind: words<DreamChange['kind']>('kept', 'changed', 'waits', 'deleted'),
      id: Type.String(),
      scope,
      why: Type.String(),
      before: Type.Optional(Type.String()),
      after: Type.Optional(Type.String()),
      isLeftAlone: Type.Optional(Type.Boolean({ description: 'Another writer has since changed the note.' })),
      evidence,
    }),
  ),
  refused: Type.Array(Type.Object({ id: Type.String(), value: Type.String(), reason: Type.String(), why: Type.String(), evidence })),
  forged: Type.Integer({ description: 'Number of quotes that were not found at their source.' }),
  forgotten: Type.Optional(Type.Integer({ description: 'Number of rows removed with their chat, message or call.' })),
  undo: Type.Optional(
    Type.Object({ at: Type.String(), undone: Type.Integer(), left: Type.Array(Type.Object({ id: Type.String(), scope, why: Type.String() })) }),
  ),
});

/** A dream run as returned by the HTTP routes. */
export type ShownRun = Type.Static<typeof runSchema>;

export const gateSchema = Type.Object({
  gate: Type.Optional(Type.String({ description: 'The first closed gate; omitted if all gates are open.' })),
  why: Type.String(),
});

export function shownRun(run: DreamRun): ShownRun {
  const { changes, refused, sessions, undo, ...rest } = run;
  return {
    ...rest,
    counts: { ...countsOf(run) },
    sessions: sessions.map((one) => ({ ...one })),
    changes: changes.map(({ kind, id, scope: where, why, edit: { from, to }, outcome }) => ({
      ...{ kind, id, scope: where, why, evidence: shownEvidence(to?.evidence ?? from?.evidence) },
      ...(from ? { before: from.value } : {}),
      ...(to && kind !== 'deleted' ? { after: to.value } : {}),
      ...(outcome === 'changed' ? { isLeftAlone: true } : {}),
    })),
    refused: refused.map(({ evidence: words, ...one }) => ({ ...one, evidence: shownEvidence(words) })),
    ...(undo ? { undo: { ...undo, left: undo.left.map((one) => ({ ...one })) } } : {}),
  };
}

function shownEvidence(evidence: DreamRefusal['evidence'] = []): { chatId: string; entryId: string; quote: string; class: string; at: string }[] {
  return evidence.map(({ chatId, entryId, quote, class: origin, at }) => ({ chatId, entryId, quote, class: origin, at }));
}

const runId = Type.String();
export const dreamEvents = [
  {
    name: 'dream_gate',
    description: 'No dream starts. Contains the first closed gate and its reason.',
    permission: 'memory.read',
    schema: Type.Object({ gate: Type.String(), why: Type.String() }),
    keep: 'live',
  },
  {
    name: 'dream_started',
    description: 'A dream started to read chats. It counts as a run from now on, whatever its outcome.',
    permission: 'memory.read',
    schema: Type.Object({ runId, asked: Type.String(), sessions: Type.Integer(), characters: Type.Integer() }),
    keep: 'live',
  },
  {
    name: 'dream_completed',
    description: 'The result of a dream.',
    permission: 'memory.read',
    schema: Type.Object({ runId, summary: Type.String(), ...counts }),
    keep: 'live',
  },
  {
    name: 'dream_failed',
    description: 'A dream failed and changed no note.',
    permission: 'memory.read',
    schema: Type.Object({ runId, reason: Type.String(), why: Type.String() }),
    keep: 'live',
  },
  {
    name: 'dream_undone',
    description: 'The changes of a dream were undone, except notes that were changed afterwards.',
    permission: 'memory.read',
    schema: Type.Object({ runId, undone: Type.Integer(), left: Type.Integer() }),
    keep: 'live',
  },
  {
    name: 'dream_stopped',
    description: 'Dreams are paused after several consecutive runs without a note.',
    permission: 'memory.read',
    schema: Type.Object({ runs: Type.Integer(), why: Type.String() }),
    keep: 'newest',
  },
] as const;
