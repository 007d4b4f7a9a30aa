// Implements the tool `set_persona`, which lets the agent change its own character at the user's request.
import * as Type from 'typebox';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import type { Tool, ToolContext, ToolOutcome, Undo } from 'agent-harness/plugins/tools';
import type { OpenPersona } from '../open-persona.ts';
import type { TrackCharacter } from '../persona-parts.ts';

interface Args {
  readonly input: string;
  readonly as?: 'character' | 'preference';
}

/** Time limit in milliseconds; longer than any run with all retries takes in practice. An abort of the turn ends the run earlier. */
const limitMs = 900_000;

export const toolName = 'set_persona';

/** @param track runs work that changes the character @param undo whether undoing its turn restores the character */
export function setPersonaTool(open: () => Promise<OpenPersona>, track: TrackCharacter, undo: Undo): Tool {
  return {
    name: toolName,
    description:
      'Changes your persona at the user\'s request. `input`: the persona in the user\'s words; "default", "reset" or "clear" removes ' +
      'it. as "preference" only adds one line on how to treat the user.',
    input: Type.Object(
      {
        input: Type.String({ minLength: 1, maxLength: 2_000 }),
        as: Type.Optional(Type.Union([Type.Literal('character'), Type.Literal('preference')], { description: 'default: character' })),
      },
      { additionalProperties: false },
    ),
    effects: ['write'],
    undo,
    replay: 'ask',
    // Later turns trust the content of the persona.
    traits: ['lasting'],
    timeoutMs: limitMs,
    display: { icon: 'tool', subject: ({ input }: Args) => input },
    run: (args: Args, context: ToolContext) => track(context, async () => setPersona(await open(), args, context)),
  };
}

async function setPersona(persona: OpenPersona, { input, as = 'character' }: Args, { chatId, signal, waiting }: ToolContext): Promise<ToolOutcome> {
  if (as === 'preference') {
    await persona.service.learn(input, `asked for on ${today()} in ${chatId}`);
    return { ok: true, output: 'Saved; takes effect next turn. The user can view it with /persona and remove it.' };
  }
  const done = waiting('model');
  try {
    const { label } = await persona.set(input, signal);
    return {
      ok: true,
      output: label === '' ? 'The persona is removed; you have your default one from the next turn.' : `Done: from the next turn you are "${label}".`,
    };
  } finally {
    done();
  }
}

/** Requires approval if the request may originate from text that the agent read. Otherwise no approval is needed, because the change can be undone. */
export function setPersonaRule({ tool, turn }: ToolCall): RuleVerdict | undefined {
  if (tool.plugin !== 'persona' || tool.name !== toolName) return undefined;
  return turn.isTainted
    ? { verdict: 'ask', reason: 'This turn read external content, and the call would change the persona of the agent.', needsPerson: true }
    : { verdict: 'allow', reason: 'A personality can be reverted with /persona back.' };
}

export const today = (): string => new Date().toISOString().slice(0, 10);
