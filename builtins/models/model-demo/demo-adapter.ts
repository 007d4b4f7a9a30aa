// Implements the demo model: answers each request from its messages alone, in small deltas, without network access or delays.
import { yieldToEventLoop } from '#lib/event-loop';
import type { ModelAdapter, ModelMessage, ModelOutcome, ModelRequest, ModelSink } from 'agent-harness/plugins/models';
import type { Product } from 'agent-harness/plugins/storage';
import { announce, summarise, type Notes } from './compose-reply.ts';
import { readConversation } from './read-conversation.ts';
import { capitalise, trimRequest } from './sentence-parts.ts';

interface Reply {
  readonly text: string;
  readonly call?: { readonly id: string; readonly name: string; readonly argsText: string };
}

/** Characters per delta. */
const deltaLength = 12;
/** Approximate number of characters per token, for the usage estimate. */
const charsPerToken = 4;

export function createDemoAdapter(product: Pick<Product, 'title' | 'home'>): ModelAdapter {
  const notes: Notes = {
    introduction: `I am the demo model of ${product.title}: I work offline and follow fixed rules, but the tools I use are real.`,
    howToSetKey: `To use a real model, add AGENT_API_KEY=<your key> to ${product.home}/.env: it applies from the next message on.`,
  };
  return {
    async stream(request, _route, sink, signal) {
      const reply = isHelperCall(request) ? helperReply(request) : turnReply(request, notes);
      await send(reply, sink, signal);
      return outcomeOf(request, reply);
    },
  };
}

/** Returns whether the request is a helper call, such as for a title or a summary: it has no tools and expects plain text. */
function isHelperCall(request: ModelRequest): boolean {
  return request.purpose !== 'chat' && request.tools.length === 0;
}

function helperReply(request: ModelRequest): Reply {
  const asked = request.messages.findLast((message) => message.role === 'user')?.text ?? '';
  if (request.purpose !== 'title') return { text: 'The demo model cannot do this; set AGENT_API_KEY.' };
  return { text: capitalise(trimRequest(asked).split(/\s+/).slice(0, 6).join(' ')).slice(0, 60) || 'New chat' };
}

function turnReply(request: ModelRequest, notes: Notes): Reply {
  const standing = readConversation(request.messages, notes.introduction);
  const { next, outcomes } = standing;
  if (!next) return { text: summarise(standing, notes) };
  return { text: announce(next, outcomes.length), call: { id: freeId(request.messages), name: next.tool, argsText: JSON.stringify(next.args) } };
}

/** Returns an id that depends only on the conversation and does not occur in it. */
function freeId(messages: readonly ModelMessage[]): string {
  const used = new Set(messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [])));
  let number = used.size + 1;
  while (used.has(`demo_${number}`)) number++;
  return `demo_${number}`;
}

async function send({ text, call }: Reply, sink: ModelSink, signal: AbortSignal): Promise<void> {
  await inPieces(text, (piece) => sink.text(piece), signal);
  if (!call) return;
  sink.toolCall(0, call.id, call.name);
  await inPieces(call.argsText, (piece) => sink.toolArgs(0, piece), signal);
}

/** Emits a text in pieces, one per turn of the event loop, so that readers, other chats and aborts are not delayed. */
async function inPieces(text: string, take: (piece: string) => void, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const letters = Array.from(text);
  for (let at = 0; at < letters.length; at += deltaLength) {
    take(letters.slice(at, at + deltaLength).join(''));
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
}

function outcomeOf(request: ModelRequest, { text, call }: Reply): ModelOutcome {
  const sent = request.system.length + request.messages.reduce((sum, message) => sum + message.text.length, 0) + JSON.stringify(request.tools).length;
  const answered = text.length + (call ? call.name.length + call.argsText.length : 0);
  return {
    ok: true,
    finish: call ? 'tool_calls' : 'stop',
    usage: { input: Math.ceil(sent / charsPerToken), output: Math.ceil(answered / charsPerToken), cached: 0 },
  };
}
