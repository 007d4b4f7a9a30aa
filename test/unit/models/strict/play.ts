// A strict server that plays the replies given in a message: `steps=[…]` holds one reply per round of the turn.
import { startScriptedModel, type ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../../helpers/scripted-model.ts';
import type { ScriptedWire } from '../../../helpers/scripted-wires.ts';
import { commonRefusal, type Refusal, type StrictServer } from './servers.ts';

export const stepsOf = (...replies: ScriptedReply[]): string => `steps=${JSON.stringify(replies)}=steps`;

export interface PlayedServer extends ScriptedModel {
  readonly refused: { readonly request: ScriptedRequest; readonly refusal: Refusal }[];
  /** Images are accepted until this is set. */
  isStrict: boolean;
}

export async function startStrict(server: StrictServer): Promise<PlayedServer> {
  const refused: PlayedServer['refused'] = [];
  const model = await startScriptedModel((request) => {
    const { body, wire } = request;
    server.rewrites?.(body);
    const isSpoken = (server.wires ?? ['chat-completions']).includes(wire);
    const refusal = isSpoken
      ? played.isStrict
        ? (commonRefusal(body, wire) ?? server.refuses(body, wire))
        : undefined
      : { status: 404, body: { error: { message: 'Not found' } } };
    if (!refusal) return shaped(server, nextStep(body, wire));
    refused.push({ request, refusal });
    return { status: refusal.status, body: refusal.body };
  });
  const played: PlayedServer = Object.assign(Object.create(model) as ScriptedModel, { refused, isStrict: true });
  return played;
}

function shaped({ shape, hasNoTools = false }: StrictServer, reply: ScriptedReply): ScriptedReply {
  const made = hasNoTools && reply.toolCalls ? { text: 'I have no tools for that.' } : reply;
  return shape ? shape(made) : made;
}

interface Said {
  readonly role: string;
  readonly text: string;
  readonly hasCalls: boolean;
}

function nextStep(body: any, wire: ScriptedWire): ScriptedReply {
  const said = readSaid(body, wire);
  const asked = said.findLastIndex(({ role, text }) => role !== 'assistant' && text.includes('=steps'));
  if (asked < 0) return { text: 'ok' };
  const all = [...said[asked]!.text.matchAll(/steps=(.*?)=steps/g)];
  const steps = JSON.parse(all.at(-1)![1]!) as ScriptedReply[];
  const rounds = countRounds(said.slice(asked));
  return steps[rounds] ?? { text: 'Nothing more.' };
}

function countRounds(said: readonly Said[]): number {
  return said.filter(({ hasCalls }, at) => hasCalls && !said[at - 1]?.hasCalls).length;
}

function readSaid(body: any, wire: ScriptedWire): Said[] {
  if (wire === 'responses')
    return body.input.map((item: any) => ({
      role: item.role ?? item.type,
      text: textOf(item.content),
      hasCalls: item.type === 'function_call' || isWritten(item),
    }));
  return body.messages.map((message: any) => ({
    role: message.role,
    text: textOf(message.content),
    hasCalls: Boolean(message.tool_calls?.length) || [message.content ?? []].flat().some((block: any) => block.type === 'tool_use') || isWritten(message),
  }));
}

const isWritten = ({ role, content }: any): boolean => role === 'assistant' && /^\[Called /m.test(textOf(content));

const textOf = (content: any): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part) => part.text ?? '').join('\n') : '';
