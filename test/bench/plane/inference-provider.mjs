// The provider of the figures, as a process of its own: chat completions that say when each chunk left, and keep the books of what they produced.
import { createServer } from 'node:http';

const now = () => performance.timeOrigin + performance.now();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let produced = { calls: 0, complete: 0, input: 0, output: 0 };

const server = createServer((request, response) => {
  if (request.url === '/books') return response.end(JSON.stringify(produced));
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece)).on('end', () => void answer(JSON.parse(Buffer.concat(pieces).toString()), response));
});

/** `user` carries the script: chunks, ms between them, input tokens. One chunk is one output token, as far as `max_tokens` goes. */
async function answer({ stream, user, max_tokens: most = Infinity }, response) {
  const { chunks = 20, gapMs = 0, input = 10, headMs = 0 } = JSON.parse(user ?? '{}');
  const count = Math.min(chunks, most);
  const usage = { prompt_tokens: input, completion_tokens: count, total_tokens: input + count };
  produced.calls++;
  produced.input += input;
  if (headMs) await pause(headMs);
  if (!stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    produced.output += count;
    produced.complete++;
    return response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(count) }, finish_reason: 'stop' }],
        usage,
      }),
    );
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < count && !response.destroyed; index++) {
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content: 'abcd' }, finish_reason: null }], at: now() })}\n\n`,
    );
    produced.output++;
    if (gapMs) await pause(gapMs);
  }
  if (response.destroyed) return;
  produced.complete++;
  response.end(
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [], usage })}\n\ndata: [DONE]\n\n`,
  );
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
