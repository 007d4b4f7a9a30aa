// Records the provenance of a turn's requests: each prompt part with its plugin, and changes by other plugins. Stores only references while the turn is
// running.
import type { Prompt, PromptSource, Turn, TurnObservation } from 'agent-harness/plugins/agent';

/** A part of a prompt. */
export interface Piece {
  readonly place: 'system' | 'tail';
  /** Id of a section; for text after the conversation, its topic. */
  readonly id: string;
  readonly text: string;
  readonly plugin: string;
  readonly hook: string;
  /** Name of the plugin whose section of the same name this part replaced. */
  readonly over?: string;
  /** First round that contained the part. */
  readonly round: number;
  readonly from?: readonly PromptSource[];
}

/** A change by a plugin outside the prompt. */
export interface Step {
  readonly hook: string;
  readonly plugin: string;
  readonly round: number;
  readonly callId?: string;
  /** Names of the changed fields. */
  readonly what: readonly string[];
}

export interface TurnProvenance {
  readonly pieces: readonly Piece[];
  readonly steps: readonly Step[];
}

/** Maximum numbers of parts and changes per turn. */
const most = { pieces: 200, steps: 200 };
const owner = 'agent';
const watched: ReadonlySet<unknown> = new Set(['prompt.build', 'model.request', 'tool.after', 'turn.finalize', 'turn.intercept']);

export interface OpenProvenance extends TurnProvenance {
  take(observation: TurnObservation): void;
}

type Maker = Pick<Piece, 'plugin' | 'hook' | 'over'>;
type Answers = NonNullable<Extract<TurnObservation, { on: 'answer' }>['answers']>;

export function createProvenance(turn: Turn): OpenProvenance {
  const pieces = new Map<string, Piece>();
  const steps = new Map<string, Step>();
  let sentBackBy = owner;

  function noteStep(hook: string, plugin: string, what: readonly string[], callId?: string): void {
    const key = `${hook} ${plugin} ${callId ?? ''}`;
    const known = steps.get(key);
    const all = [...new Set([...(known?.what ?? []), ...what])];
    if (what.length === 0 || (!known && steps.size >= most.steps)) return;
    steps.set(key, { hook, plugin, round: known?.round ?? turn.round, what: all, ...(callId === undefined ? {} : { callId }) });
  }

  /** Compares each plugin's result with the prompt before that plugin. */
  function takePrompt(start: Prompt, answers: Answers): void {
    const makers = new Map<object, Maker>();
    for (const section of start.system) makers.set(section, { plugin: owner, hook: 'prompt.build' });
    for (const message of start.tail) makers.set(message, { plugin: sentBackBy, hook: 'turn.finalize' });
    let last = start;
    for (const { plugin, answer } of answers) {
      const prompt = answer as Prompt;
      for (const section of prompt.system) {
        if (makers.has(section)) continue;
        const before = last.system.find(({ id }) => id === section.id);
        const over = before && makers.get(before)?.plugin;
        makers.set(section, { plugin, hook: 'prompt.build', ...(over === undefined || over === plugin ? {} : { over }) });
      }
      for (const message of prompt.tail) if (!makers.has(message)) makers.set(message, { plugin, hook: 'prompt.build' });
      if (prompt.messages !== last.messages) noteStep('prompt.build', plugin, ['messages']);
      last = prompt;
    }
    for (const section of last.system) keep('system', section.id, section, makers.get(section));
    for (const message of last.tail) keep('tail', message.about ?? message.role, message, makers.get(message));
  }

  function keep(
    place: Piece['place'],
    id: string,
    { text, from }: { readonly text: string; readonly from?: readonly PromptSource[] },
    made: Maker | undefined,
  ): void {
    if (!made || pieces.size >= most.pieces || pieces.has(text)) return;
    pieces.set(text, { place, id, text, round: turn.round, ...made, ...(from ? { from } : {}) });
  }

  return {
    take(observation) {
      if (observation.on !== 'answer' || !observation.key.startsWith('0/hook/') || !watched.has(observation.args[0])) return;
      const [hook, first, second] = observation.args as readonly [string, unknown, unknown];
      const { answers = [] } = observation;
      if (hook === 'prompt.build') return takePrompt(first as Prompt, answers);
      let last = first;
      for (const { plugin, answer } of answers) {
        const what = hook === 'turn.intercept' ? ['answer'] : changedIn(last, answer);
        if (hook === 'turn.finalize' && what.includes('sendBack')) sentBackBy = plugin;
        noteStep(hook, plugin, what, hook === 'tool.after' ? (second as { readonly callId: string }).callId : undefined);
        last = answer;
      }
    },
    get pieces() {
      return [...pieces.values()];
    },
    get steps() {
      return [...steps.values()];
    },
  };
}

/** Returns the part with a new line for each of its notes. */
export function withNotes(piece: Piece, lineOf: (noteId: string) => string): Piece {
  const { text: before, from = [] } = piece;
  if (!from.some(({ kind }) => kind === 'note')) return piece;
  let text = '';
  let at = 0;
  const moved = from.map((source): PromptSource => {
    const start = Math.max(at, source.start ?? 0);
    const end = Math.max(start, source.end ?? before.length);
    text += before.slice(at, start);
    const begin = text.length;
    text += source.kind === 'note' ? lineOf(source.ref) : before.slice(start, end);
    at = end;
    return { ...source, start: begin, end: text.length };
  });
  return { ...piece, text: text + before.slice(at), from: moved };
}

/** Returns the names of changed fields. */
function changedIn(before: unknown, after: unknown): string[] {
  if (before === after) return [];
  const [old, made] = [Object(before), Object(after)] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(made)])].filter((name) => old[name] !== made[name]);
}
