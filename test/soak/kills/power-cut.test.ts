// Tests journals cut at any byte, as after a power failure. Uses one chat per cut position, all in one home folder.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { createChatCheck, type JournalRow } from '../../helpers/journal-check.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';

/** Cuts at every byte of the last records and at every seventh byte before. */
const lastRecords = 3;
const stride = 7;

let model: ScriptedModel;
let place: { home: string; workspace: string };
let whole: Buffer;
let originalId: string;
let meta: string;
beforeAll(async () => {
  model = await startScriptedModel(({ body }) => {
    const { role, content } = body.messages.at(-1);
    if (role !== 'user' || !String(content).includes('read')) return { text: ['Gru', 'ß 😀.'] };
    return { text: 'Schön, ', toolCalls: [0, 1].map(() => ({ name: 'read_file', args: { path: 'größe.md' }, fragments: 2 })) };
  });
  place = { home: await mkdtemp(join(tmpdir(), 'power-')), workspace: await mkdtemp(join(tmpdir(), 'power-work-')) };
  await writeFile(join(place.workspace, 'größe.md'), 'zwölf 😀\n');
  const harness = await startHarness({ ...place, environment: model.environment });
  await runTurn(harness, 'read größe.md 😀');
  originalId = (await harness.call('GET', '/api/chats')).body.activeChatId;
  await harness.close();
  const folder = join(place.home, 'chats', originalId);
  whole = await readFile(join(folder, 'session.jsonl'));
  meta = await readFile(join(folder, 'meta.json'), 'utf8');
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await model.close();
  for (const folder of Object.values(place)) await rm(folder, { recursive: true, force: true });
});

function listCuts(): number[] {
  const ends: number[] = [];
  for (let at = whole.indexOf(0x0a); at >= 0; at = whole.indexOf(0x0a, at + 1)) ends.push(at + 1);
  const from = ends.at(-1 - lastRecords) ?? 0;
  return Array.from({ length: whole.length + 1 }, (_, at) => at).filter((at) => at >= from || at % stride === 0);
}

function idOf(number: number): string {
  return `chat_01ARZ3NDEKTSV4RR${String(number).padStart(10, '0')}`;
}

/** Creates a chat whose journal is cut there. Returns its complete lines. A line that lacks only its line break counts. */
async function leaveCut(chatId: string, at: number, isMarked: boolean): Promise<string[]> {
  const folder = join(place.home, 'chats', chatId);
  // Chat ids have a fixed length, so cut positions stay the same.
  const bytes = Buffer.from(whole.toString('utf8').replaceAll(originalId, chatId)).subarray(0, at);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'meta.json'), meta.replace(originalId, chatId));
  await writeFile(join(folder, 'session.jsonl'), bytes);
  if (isMarked) await writeFile(join(place.home, 'running', chatId), '');
  const lines = bytes.toString('utf8').split('\n');
  return lines.slice(0, isWhole(lines.at(-1) ?? '') ? undefined : -1);
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

async function findFaults(chatId: string, before: readonly string[], newest: number): Promise<string[]> {
  const lines = (await readFile(join(place.home, 'chats', chatId, 'session.jsonl'), 'utf8')).split('\n');
  const faults = lines.pop() === '' ? [] : ['the last line is half written'];
  if (before.some((line, index) => lines[index] !== line)) faults.push('a whole line changed');
  const check = createChatCheck(chatId);
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const event = JSON.parse(line) as JournalRow;
    if (event.id <= last || (index >= before.length && event.id <= newest)) faults.push(`id ${event.id} after ${last}`);
    last = event.id;
    check.take(event);
  }
  return [...faults, ...check.faults()].map((fault) => `${chatId}: ${fault}`);
}

async function checkAll(left: ReadonlyMap<string, readonly string[]>, newest: number): Promise<void> {
  const faults = await Promise.all([...left].map(([chatId, before]) => findFaults(chatId, before, newest)));
  expect(faults.flat()).toEqual([]);
}

const newestId = (): number => Math.max(...whole.toString('utf8').trimEnd().split('\n').map((line) => (JSON.parse(line) as JournalRow).id)); // prettier-ignore

async function sendNext(harness: Harness, chatIds: readonly string[]): Promise<void> {
  for (const chatId of chatIds) {
    const { end, turnId } = await runTurn(harness, 'and now?', { chatId });
    expect(end).toMatchObject({ turnId, reason: 'done' });
  }
}

test('keeps the complete lines of a journal cut at any byte, closes its turns once, and continues the chat', async () => {
  await mkdir(join(place.home, 'running'), { recursive: true });
  const cuts = listCuts();
  const left = new Map<string, string[]>();
  for (const at of cuts) left.set(idOf(at), await leaveCut(idOf(at), at, true));
  const harness = await startHarness({ ...place, environment: model.environment });
  await expect.poll(() => readdir(join(place.home, 'running'))).toEqual([]);
  // A partial line is removed when a chat is opened. At startup only chats with a running turn are opened.
  for (const chatId of left.keys()) await harness.kernel.resolve('chats').transcript(chatId);
  await checkAll(left, newestId());
  await sendNext(
    harness,
    [...left.keys()].filter((_, index) => index % 40 === 0),
  );
  await harness.kernel.resolve('eventLog').flushed(idOf(0));
  await checkAll(left, newestId());
  await harness.close();
}, 120_000);

test('closes the open turns of a chat without a running marker file when the next message arrives', async () => {
  const cuts = listCuts().filter((_, index) => index % 25 === 0);
  const left = new Map<string, string[]>();
  for (const at of cuts) left.set(idOf(at + 1_000_000), await leaveCut(idOf(at + 1_000_000), at, false));
  const harness = await startHarness({ ...place, environment: model.environment });
  await sendNext(harness, [...left.keys()]);
  await checkAll(left, newestId());
  await expect.poll(() => readdir(join(place.home, 'running'))).toEqual([]);
  // Every tool call in the request has a result, as after a restart.
  const messages = model.requests.at(-1)?.body.messages;
  const asked = messages.flatMap((message: any) => (message.tool_calls ?? []).map((call: any) => call.id));
  expect(messages.filter((message: any) => message.role === 'tool').map((message: any) => message.tool_call_id)).toEqual(asked);
  await harness.close();
});
