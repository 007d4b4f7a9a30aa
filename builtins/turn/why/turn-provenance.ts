// What made a turn's requests: each part of the prompt with the plugin that added it, and who changed what on the way. By reference while it runs.
import type { Prompt, PromptSource, Turn, TurnPorts } from 'agent-harness/plugins/agent';

/** A part of a prompt. */
export interface Piece {
  readonly place: 'system' | 'tail';
  /** Of a section; of what stands after the conversation what it is about. */
  readonly id: string;
  readonly text: string;
  readonly plugin: string;
  readonly hook: string;
  /** The plugin whose section of that name it took the place of. */
  readonly over?: string;
  /** In which it stood first. */
  readonly round: number;
  readonly from?: readonly PromptSource[];
}

/** A plugin changed something that is no part of the prompt. */
export interface Step {
  readonly hook: string;
  readonly plugin: string;
  readonly round: number;
  readonly callId?: string;
  /** Names of what is other than before. */
  readonly what: readonly string[];
}

export interface TurnProvenance {
  readonly pieces: readonly Piece[];
  readonly steps: readonly Step[];
}

/** Of one turn. */
const most = { pieces: 200, steps: 200 };
const owner = 'agent';
const watched: ReadonlySet<string> = new Set(['prompt.build', 'model.request', 'tool.after', 'turn.finalize', 'turn.intercept']);

export function watchProvenance(turn: Turn, ports: TurnPorts): { readonly provenance: TurnProvenance; readonly ports: TurnPorts } {
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

  /** Each plugin's answer, held against what stood there before it. */
  function watchPrompt(start: Prompt): { onAnswer(plugin: string, answer: unknown): void; end(prompt: Prompt): void } {
    const of = new Map<object, Pick<Piece, 'plugin' | 'hook' | 'over'>>();
    for (const section of start.system) of.set(section, { plugin: owner, hook: 'prompt.build' });
    for (const message of start.tail) of.set(message, { plugin: sentBackBy, hook: 'turn.finalize' });
    let last = start;
    return {
      onAnswer(plugin, answer) {
        const prompt = answer as Prompt;
        for (const section of prompt.system) {
          if (of.has(section)) continue;
          const before = last.system.find(({ id }) => id === section.id);
          const over = before && of.get(before)?.plugin;
          of.set(section, { plugin, hook: 'prompt.build', ...(over === undefined || over === plugin ? {} : { over }) });
        }
        for (const message of prompt.tail) if (!of.has(message)) of.set(message, { plugin, hook: 'prompt.build' });
        if (prompt.messages !== last.messages) noteStep('prompt.build', plugin, ['messages']);
        last = prompt;
      },
      end({ system, tail }) {
        for (const section of system) keep('system', section.id, section, of);
        for (const message of tail) keep('tail', message.about ?? message.role, message, of);
      },
    };
  }

  function keep(
    place: Piece['place'],
    id: string,
    part: { readonly text: string; readonly from?: readonly PromptSource[] },
    of: ReadonlyMap<object, Pick<Piece, 'plugin' | 'hook' | 'over'>>,
  ): void {
    const made = of.get(part);
    if (!made || pieces.size >= most.pieces || pieces.has(part.text)) return;
    pieces.set(part.text, { place, id, text: part.text, round: turn.round, ...made, ...(part.from ? { from: part.from } : {}) });
  }

  const call: TurnPorts['emitter']['call'] = async (hook, args, options) => {
    if (!watched.has(hook)) return ports.emitter.call(hook, args, options);
    const [first, second] = args as readonly [unknown, unknown];
    const prompt = hook === 'prompt.build' ? watchPrompt(first as Prompt) : undefined;
    let last = first;
    const onAnswer = (plugin: string, answer: unknown): void => {
      if (prompt) return prompt.onAnswer(plugin, answer);
      const what = hook === 'turn.intercept' ? ['answer'] : changedIn(last, answer);
      if (hook === 'turn.finalize' && what.includes('sendBack')) sentBackBy = plugin;
      noteStep(hook, plugin, what, hook === 'tool.after' ? (second as { readonly callId: string }).callId : undefined);
      last = answer;
    };
    const answer = await ports.emitter.call(hook, args, { ...options, onAnswer });
    prompt?.end(answer as Prompt);
    return answer;
  };

  return {
    provenance: {
      get pieces() {
        return [...pieces.values()];
      },
      get steps() {
        return [...steps.values()];
      },
    },
    ports: { ...ports, emitter: { emit: ports.emitter.emit, call } },
  };
}

/** Names of fields that are other values. */
function changedIn(before: unknown, after: unknown): string[] {
  if (before === after) return [];
  const [old, made] = [Object(before), Object(after)] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(made)])].filter((name) => old[name] !== made[name]);
}
