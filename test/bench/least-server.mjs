// Minimal server for one turn on the same packages, as the lower bound of the benchmark: fastify accepts the message and writes it to disk
// before the 202 and before the model request, cross-fetch calls the model, and the deltas are written, flushed and sent as server-sent
// events. No tools, prompt, hooks or checks. A server with the same guarantees on the same packages cannot be faster.
import { closeSync, fdatasync, mkdirSync, openSync, writeSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fetch from 'cross-fetch';
import { createParser } from 'eventsource-parser';
import Fastify from 'fastify';

const { AGENT_API_BASE_URL: model, APP_HOME: home, AGENT_WEB_TOKEN: token, PORT: port } = process.env;
const flush = promisify(fdatasync);
const agent = new Agent({ keepAlive: true });
const readers = new Set();
const chats = new Map();
let eventId = 0;
mkdirSync(home, { recursive: true });

function tell(chatId, event) {
  const frame = `id: ${++eventId}\ndata: ${JSON.stringify({ id: eventId, chatId, ...event })}\n\n`;
  writeSync(chats.get(chatId).journal, frame);
  for (const reader of readers) reader.write(frame);
}

async function runTurn(chatId, text) {
  const { journal, messages } = chats.get(chatId);
  messages.push({ role: 'user', content: text });
  const response = await fetch(`${model}/chat/completions`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ model: 'any', stream: true, messages }),
  });
  let reply = '';
  const parser = createParser({
    onEvent({ data }) {
      const delta = data === '[DONE]' ? undefined : JSON.parse(data).choices?.[0]?.delta?.content;
      if (!delta) return;
      tell(chatId, { kind: 'text', channel: 'user', offset: reply.length, delta });
      reply += delta;
    },
  });
  response.body.setEncoding('utf8');
  for await (const piece of response.body) parser.feed(piece);
  messages.push({ role: 'assistant', content: reply });
  tell(chatId, { kind: 'turn_end', reason: 'done' });
  await flush(journal);
}

const app = Fastify();
app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== `Bearer ${token}`) await reply.code(401).send();
});
app.get('/api/status', () => ({ ok: true }));
app.post('/api/chats', () => {
  const chatId = `chat_${chats.size}`;
  chats.set(chatId, { journal: openSync(join(home, chatId), 'a'), messages: [] });
  return { chatId };
});
app.get('/api/stream', (_, reply) => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  readers.add(reply.raw);
  reply.raw.on('close', () => readers.delete(reply.raw));
});
app.post('/api/message', async (request, reply) => {
  const { chatId, text } = request.body;
  tell(chatId, { kind: 'message_accepted', text });
  await flush(chats.get(chatId).journal);
  void runTurn(chatId, text);
  return reply.code(202).send({ chatId });
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => {
  for (const { journal } of chats.values()) closeSync(journal);
  process.exit(0);
});
