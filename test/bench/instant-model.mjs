// Model server without latency, over the real wire protocol, in its own process. The last user message sets its behaviour:
//   "rounds N"          N tool calls (read_file), one per reply, then a text
//   "deltas N every M"  N deltas, M milliseconds apart (0: no delay). Each carries its send time.
// If the first user message starts with "#tag", its requests are compared. For each request, GET /prefix/tag returns the share
// of its prompt that the next prompt starts with, and the size of the first prompt in bytes.
import { createServer } from 'node:http';

const now = () => performance.timeOrigin + performance.now();
const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const last = (finish) =>
  `${chunk({}, finish)}data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 10, completion_tokens: 10 } })}\n\ndata: [DONE]\n\n`;

const prompts = new Map();

/** Builds the prompt as a provider's cache sees it: tools first, then the messages, without the closing bracket. */
function notePrompt(body) {
  const tag = /^#(\w+)/.exec(body.messages.find((message) => message.role === 'user')?.content ?? '')?.[1];
  if (!tag) return;
  const prompt = JSON.stringify(body.tools ?? []) + JSON.stringify(body.messages).slice(0, -1);
  const seen = prompts.get(tag) ?? { firstBytes: Buffer.byteLength(JSON.stringify(body)), toolCount: body.tools?.length ?? 0, shares: [], last: undefined };
  if (seen.last !== undefined) {
    let same = 0;
    while (same < seen.last.length && seen.last[same] === prompt[same]) same++;
    seen.shares.push(same / seen.last.length);
  }
  prompts.set(tag, { ...seen, last: prompt });
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const { last, ...stats } = prompts.get(request.url.slice('/prefix/'.length)) ?? {};
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stats));
  }
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => void answer(JSON.parse(Buffer.concat(pieces).toString()), response));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.on('SIGTERM', () => process.exit(0));

async function answer(body, response) {
  notePrompt(body);
  response.socket.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const lastUser = body.messages.findLastIndex((message) => message.role === 'user');
  const text = JSON.stringify(body.messages[lastUser]?.content ?? '');
  const rounds = /rounds (\d+)/.exec(text);
  if (rounds) {
    const done = body.messages.slice(lastUser).filter((message) => message.role === 'tool').length;
    if (done < Number(rounds[1])) {
      response.write(
        chunk({ role: 'assistant', tool_calls: [{ index: 0, id: `call_${done}`, type: 'function', function: { name: 'read_file', arguments: '' } }] }),
      );
      response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"sample.txt"}' } }] }));
      return response.end(last('tool_calls'));
    }
  }
  const deltas = /deltas (\d+) every (\d+)/.exec(text);
  const [count, pause] = deltas ? [Number(deltas[1]), Number(deltas[2])] : [1, 0];
  const started = performance.now();
  for (let index = 0; index < count; index++) {
    if (pause > 0) {
      const due = started + index * pause;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
    const wrote = response.write(chunk({ content: `${now()} ` }));
    if (!wrote) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end(last('stop'));
}
