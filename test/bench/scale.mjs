// Measures scaling: readers, chats, long journals, many chats in the home, long conversations, many turns.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, median, percentile, readEvents } from './client.mjs';

const at = '2026-01-01T00:00:00.000Z';
const chatIdOf = (index) => `chat_01BENCH${String(index).padStart(19, '0')}`;

export async function benchScale(context) {
  await benchManyChats(context);
  await benchReaders(context);
  await benchLongChat(context);
  await benchFullHome(context);
  await benchPrompts(context);
  await benchMemory(context);
}

async function benchManyChats({ add, newChat, newHome, rounded, turn, withModel }) {
  const server = await withModel(newHome());
  const chats = await Promise.all(Array.from({ length: 50 }, () => newChat(server)));
  await Promise.all(chats.slice(0, 10).map((chatId) => turn(server, 'deltas 1 every 0', chatId)));
  const runs = await Promise.all(chats.map((chatId) => turn(server, 'deltas 200 every 5', chatId)));
  add(
    '50 chats × 200 deltas at 5 ms, delay p99, ms',
    rounded(
      percentile(
        runs.flatMap((run) => run.delays),
        0.99,
      ),
      2,
    ),
    undefined,
    '≤ 20',
  );
  await server.stop();
}

/** CPU time of the server for one streamed turn, by the number of readers of its chat. */
async function benchReaders({ add, newChat, newHome, rounded, turn, withModel }) {
  const server = await withModel(newHome());
  for (let warm = 0; warm < 3; warm++) await turn(server, 'deltas 2000 every 0', await newChat(server));
  const spent = {};
  for (const readers of [1, 50, 200]) {
    const runs = [];
    for (let round = 0; round < 3; round++) {
      const chatId = await newChat(server);
      const done = [];
      const open = Array.from(
        { length: readers - 1 },
        () =>
          new Promise((resolve) => {
            done.push(
              readEvents(`${server.url}/api/stream?chatId=${chatId}`, { token: server.token, onOpen: resolve, onEvent: (event) => event.kind === 'turn_end' }),
            );
          }),
      );
      await Promise.all(open);
      const before = server.cpu();
      await turn(server, 'deltas 600 every 5', chatId);
      await Promise.all(done);
      runs.push(server.cpu() - before);
    }
    spent[readers] = median(runs);
  }
  add('one busy chat, 600 deltas at 5 ms, 1 reader, CPU ms', spent[1]);
  add('… 50 readers, times that', rounded(spent[50] / spent[1], 2));
  add('… 200 readers, times that', rounded(spent[200] / spent[1], 2), undefined, '≤ 2');
  await server.stop();
}

function makeChat(home, index, workspace, lines) {
  const chatId = chatIdOf(index);
  const folder = join(home, 'chats', chatId);
  mkdirSync(folder, { recursive: true });
  const meta = {
    chatId,
    title: `Chat ${index}`,
    workspaceMode: 'folder',
    workspaceRoot: workspace,
    workspaceFingerprint: `path:${workspace}`,
    createdAt: at,
    updatedAt: at,
    turns: 1,
  };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta));
  writeFileSync(join(folder, 'session.jsonl'), lines.length > 0 ? `${lines.join('\n')}\n` : '');
  return chatId;
}

/** 100 lines: a question and a reply in 96 deltas. */
function linesOfTurn(chatId, turn) {
  const [turnId, question, messageId] = [`turn_${turn}`, `msg_u${turn}`, `msg_a${turn}`];
  const deltas = Array.from({ length: 96 }, (_, index) => ({ kind: 'text', messageId, offset: index * 6, delta: 'words ', channel: 'user' }));
  const usage = { kind: 'usage', model: 'm', purpose: 'chat', plugin: 'agent', input: 10, output: 96, cached: 0 };
  return [
    { kind: 'message_accepted', messageId: question, text: `question ${turn}`, attachments: [] },
    { kind: 'turn_start', messageId: question, model: 'm' },
    ...deltas,
    usage,
    { kind: 'turn_end', reason: 'done', durationMs: 1, rounds: 1, tools: 0, usage: { input: 10, output: 96, cached: 0 } },
  ].map(({ kind, ...rest }, index) => JSON.stringify({ id: turn * 100 + index + 1, kind, at, chatId, turnId, ...rest }));
}

async function benchLongChat({ add, newHome, rounded, withModel, workspace }) {
  const home = newHome();
  const chatId = chatIdOf(0);
  const lines = Array.from({ length: 1_000 }, (_, turn) => linesOfTurn(chatId, turn)).flat();
  makeChat(home, 0, workspace, lines);
  const server = await withModel(home);
  const first = performance.now();
  const reply = await call(`${server.url}/api/chats/${chatId}/transcript`, { token: server.token });
  const opened = performance.now() - first;
  if (reply.status !== 200 || JSON.parse(reply.text).entries.length === 0) throw new Error(`transcript: ${reply.status}`);
  const again = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    await call(`${server.url}/api/chats/${chatId}/transcript`, { token: server.token });
    again.push(performance.now() - started);
  }
  add('open a chat of 100,000 events, last window, first time, ms', rounded(opened), undefined, '≤ 100');
  add('… again, ms', rounded(median(again)));
  await server.stop();
}

async function benchFullHome({ add, newHome, rounded, withModel, workspace }) {
  const [empty, full] = [newHome(), newHome()];
  for (let index = 0; index < 10_000; index++) makeChat(full, index, workspace, []);
  writeFileSync(join(full, 'active_chat.json'), JSON.stringify({ chatId: chatIdOf(9_999) }));
  writeFileSync(join(full, 'event_id.json'), JSON.stringify({ next: 1_000_000 }));
  const [bare, loaded] = [[], []];
  for (let round = 0; round < 6; round++) {
    for (const [home, starts] of [
      [empty, bare],
      [full, loaded],
    ]) {
      const server = await withModel(home);
      await server.ready();
      if (round > 0) starts.push(server.startMs);
      await server.stop();
    }
  }
  add('start with 10,000 chats in the home, times the start with none', rounded(median(loaded) / median(bare), 2), undefined, '≤ 1.3');
}

async function benchPrompts({ add, model, newChat, newHome, rounded, turn, withModel }) {
  const server = await withModel(newHome());
  const chatId = await newChat(server);
  for (let index = 0; index < 10; index++) await turn(server, `${index === 0 ? '#bench ' : ''}rounds 20`, chatId);
  const { firstBytes, shares, toolCount } = JSON.parse((await call(`${model.url.replace('/v1', '')}/prefix/bench`)).text);
  add(`first request, kB (${toolCount} tools)`, rounded(firstBytes / 1_000), undefined, '≤ 9');
  add(
    'prefix stability, 10 turns × 20 rounds, % of the prompt (mean)',
    rounded((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100, 2),
    100,
    '≥ 99',
  );
  add('… the worst request, %', rounded(Math.min(...shares) * 100, 2));
  await server.stop();
}

async function benchMemory(parts) {
  const [early, late] = await playManyTurns(parts, []);
  parts.add('memory after 200 turns, MB RSS', parts.rounded(early, 0));
  parts.add('memory after 2,000 turns, times that', parts.rounded(late / early, 2), undefined, '≤ 1.2');
  // An unlimited heap grows freely. This limit shows the memory that the work needs.
  const [earlyLimited, lateLimited] = await playManyTurns(parts, ['--max-old-space-size=64']);
  parts.add('… with a heap of at most 64 MB', parts.rounded(lateLimited / earlyLimited, 2), undefined, '≤ 1.2');
}

/** Resident memory in MB after 200 and after 2,000 turns. */
async function playManyTurns({ newChat, newHome, turn, withModel }, flags) {
  const server = await withModel(newHome(), {}, flags);
  const chats = await Promise.all(Array.from({ length: 20 }, () => newChat(server)));
  let early = 0;
  for (let index = 0; index < 2_000; index++) {
    await turn(server, 'deltas 20 every 0', chats[index % chats.length]);
    if (index === 199) early = server.memory();
  }
  const late = server.memory();
  await server.stop();
  return [early, late];
}
