// `node test/bench/acp.mjs`: how fast `app acp` is there and gone, and what it adds to a turn, beside the same turn over HTTP alone. Needs a build.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, median, now, percentile, readEvents, root, startModel, startServer } from './client.mjs';

const place = mkdtempSync(join(tmpdir(), 'bench-acp-'));
const [home, workspace] = [join(place, 'home'), join(place, 'work')];
for (const folder of [home, workspace]) mkdirSync(folder);
const model = await startModel();
const server = await startServer({
  home,
  workspace,
  environment: { PORT: String(await freePort()), AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'bench' },
});
await server.ready();

const rounded = (value, digits = 1) => Number(value.toFixed(digits));
const rows = [];
const add = (measure, value, target, floor = '') => rows.push({ measure, value, floor, target });

function open() {
  const startedAt = now();
  const child = spawn(process.execPath, [join(root, 'dist/main.mjs'), 'acp'], {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: home, APP_HOME: home, AGENT_WEB_TOKEN: server.token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let rest = '';
  let id = 0;
  const editor = { child, startedAt, onUpdate: () => undefined };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.method === 'session/update') editor.onUpdate(message.params.update, now());
      else if (message.method !== undefined)
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { outcome: { outcome: 'selected', optionId: 'allow' } } })}\n`);
      else waiting.get(message.id)?.(message);
    }
  });
  editor.send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  editor.request = (method, params) =>
    new Promise((resolve) => {
      const own = ++id;
      waiting.set(own, resolve);
      editor.send({ id: own, method, params });
    });
  editor.end = async () => {
    const at = now();
    child.stdin.end();
    await new Promise((resolve) => child.once('exit', resolve));
    return now() - at;
  };
  return editor;
}

async function ready() {
  const editor = open();
  await editor.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  editor.initializeMs = now() - editor.startedAt;
  const { result } = await editor.request('session/new', { cwd: workspace, mcpServers: [] });
  editor.sessionMs = now() - editor.startedAt;
  editor.sessionId = result.sessionId;
  editor.prompt = (text) => editor.request('session/prompt', { sessionId: editor.sessionId, prompt: [{ type: 'text', text }] });
  return editor;
}

/** The same turn by HTTP and the event stream: from the message to the end. */
async function httpTurns(count) {
  const { text } = await call(`${server.url}/api/chats`, { method: 'POST', token: server.token, body: { workspaceMode: 'folder', workspaceRoot: workspace } });
  const { chatId } = JSON.parse(text);
  const times = [];
  let sentAt = 0;
  const send = () => {
    sentAt = now();
    void call(`${server.url}/api/message`, { method: 'POST', token: server.token, body: { chatId, text: 'deltas 1 every 0' } });
  };
  await readEvents(`${server.url}/api/stream?chatId=${chatId}`, {
    token: server.token,
    onOpen: send,
    onEvent({ kind }) {
      if (kind !== 'turn_end') return false;
      times.push(now() - sentAt);
      if (times.length >= count) return true;
      setTimeout(send, 20);
      return false;
    },
  });
  return times.slice(3);
}

async function benchStart() {
  const [initialize, session, exit] = [[], [], []];
  for (let round = 0; round < 8; round++) {
    const editor = await ready();
    exit.push(await editor.end());
    if (round === 0) continue;
    initialize.push(editor.initializeMs);
    session.push(editor.sessionMs);
  }
  const bare = [];
  for (let round = 0; round < 5; round++) {
    const at = now();
    execFileSync(process.execPath, ['-e', '0']);
    bare.push(now() - at);
  }
  add('spawn to the answer of initialize, ms (median of 7)', rounded(median(initialize), 0), '≤ 250', `node alone ${rounded(median(bare), 0)}`);
  add('spawn to the first session, ms', rounded(median(session), 0), '');
  add('end of the input to exit, ms (worst)', rounded(Math.max(...exit), 0), '≤ 300');
}

async function benchTurns(editor) {
  const times = [];
  for (let round = 0; round < 33; round++) {
    const at = now();
    await editor.prompt('deltas 1 every 0');
    times.push(now() - at);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const alone = await httpTurns(33);
  add('a turn, ms (median of 30)', rounded(median(times.slice(3))), '≤ 4 more than alone', rounded(median(alone)));
  add('added a turn, ms', rounded(median(times.slice(3)) - median(alone)), '≤ 4');
}

async function benchStream(editor) {
  const count = 20_000;
  let text = '';
  let updates = 0;
  editor.onUpdate = ({ sessionUpdate, content }) => {
    if (sessionUpdate !== 'agent_message_chunk') return;
    updates++;
    text += content.text;
  };
  const at = now();
  await editor.prompt(`deltas ${count} every 0`);
  const seconds = (now() - at) / 1_000;
  const arrived = text.trim().split(' ').length;
  if (arrived !== count) throw new Error(`${arrived} of ${count} deltas arrived`);
  add('deltas a second, flat out', rounded(count / seconds, 0), '≥ 20,000', `${updates} updates`);
  const delays = [];
  editor.onUpdate = ({ sessionUpdate, content }, seenAt) => {
    if (sessionUpdate === 'agent_message_chunk') for (const sent of content.text.trim().split(' ')) delays.push(seenAt - Number(sent));
  };
  await editor.prompt('deltas 300 every 5');
  editor.onUpdate = () => undefined;
  add('delay of a delta, ms (p50, p99)', `${rounded(percentile(delays, 0.5))}, ${rounded(percentile(delays, 0.99))}`, '≤ 60');
}

async function benchCancel(editor) {
  const times = [];
  let late = 0;
  for (let round = 0; round < 100; round++) {
    const reply = editor.prompt('deltas 2000 every 1');
    await new Promise((resolve) => setTimeout(resolve, (round * 13) % 150));
    const at = now();
    editor.send({ method: 'session/cancel', params: { sessionId: editor.sessionId } });
    const { result } = await reply;
    if (result?.stopReason !== 'cancelled') throw new Error(`cancel was answered with ${JSON.stringify(result)}`);
    times.push(now() - at);
    editor.onUpdate = () => late++;
    await new Promise((resolve) => setTimeout(resolve, 10));
    editor.onUpdate = () => undefined;
  }
  add('cancel to cancelled, ms (median, worst of 100)', `${rounded(median(times))}, ${rounded(Math.max(...times))}`, '≤ 150');
  add('updates after the cancelled answer', late, '0');
}

async function benchLoad(editor) {
  const { result } = await editor.request('session/new', { cwd: workspace, mcpServers: [] });
  const { sessionId } = result;
  for (let round = 0; round < 500; round++) await editor.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'deltas 1 every 0' }] });
  const times = [];
  let updates = 0;
  for (let round = 0; round < 5; round++) {
    const fresh = await ready();
    await new Promise((resolve) => setTimeout(resolve, 200));
    updates = 0;
    fresh.onUpdate = ({ sessionUpdate }) => {
      if (/message_chunk/.test(sessionUpdate)) updates++;
    };
    const at = now();
    await fresh.request('session/load', { sessionId, cwd: workspace, mcpServers: [] });
    times.push(now() - at);
    await fresh.end();
  }
  if (updates < 1_000) throw new Error(`${updates} messages were told, of 1,000`);
  add('load of 1,000 messages, ms (median of 5)', rounded(median(times), 0), '≤ 300');
}

try {
  await benchStart();
  const editor = await ready();
  await benchTurns(editor);
  await benchStream(editor);
  await benchCancel(editor);
  await benchLoad(editor);
  await editor.end();
} finally {
  await server.stop();
  await model.stop?.();
  rmSync(place, { recursive: true, force: true });
}
console.table(rows);
process.exit(0);
