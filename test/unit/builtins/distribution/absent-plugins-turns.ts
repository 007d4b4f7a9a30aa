// Runs turns in a home with all plugins, and records the state of a server that restarts without some of them.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Harness } from '../../../helpers/harness.ts';
import { notesOf, type ScriptedModel } from '../../../helpers/scripted-model.ts';
import { takeTurn, type AnsweredTurn } from './absent-plugins-home.ts';
import { readOffers, type Offers } from './offers.ts';

export interface PluginRow {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly adds: readonly string[];
}

/** Ids and times are replaced, so that two results can be compared. */
export interface Seen {
  readonly rows: ReadonlyMap<string, PluginRow>;
  readonly offers: Offers;
  /** The kernel trace, without the order of taps. */
  readonly trace: readonly string[];
  /** Error events, warnings and resources that did not close. */
  readonly faults: readonly unknown[];
  /** System message and tools of each model request in a further turn. */
  readonly told: readonly unknown[];
  /** Event kinds of that turn, with their field names. */
  readonly events: readonly string[];
  /** Files in the home after the chat was permanently deleted. */
  readonly left: readonly string[];
}

const withoutIds = (text: string): string =>
  text.replace(/([a-z]+_)[0-9A-HJKMNP-TV-Z]{26}/g, '$1…').replace(/\b(?:[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]+Z)/g, '…');

/** Files in a folder, without the runtime files and the schedule of the server. */
export async function filesIn(home: string): Promise<string[]> {
  const found = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = found.flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name).slice(home.length + 1)] : []));
  return paths.map(withoutIds).filter((path) => !/^(?:server\.|schedule\.json$)/.test(path));
}

interface Field {
  readonly key: string;
  readonly group: string;
  readonly kind: string;
  readonly value: unknown;
}

/** Runs two turns, one with an approval, and makes the active plugins store state. Returns the chat id. */
export async function live(harness: Harness, model: ScriptedModel, plugins: readonly string[]): Promise<string> {
  const boat = 'The boat is called Albatross.';
  const first = await takeTurn(
    harness,
    model,
    [
      {
        toolCalls: [
          { name: 'remember', args: { type: 'fact', key: 'boat', value: boat } },
          { name: 'write_file', args: { path: 'log.txt', content: 'one\n' } },
        ],
      },
      { toolCalls: [{ name: 'run_command', args: { command: 'echo two >> log.txt' } }] },
      { text: `${boat} The log has two lines.` },
    ],
    { text: `Remember: ${boat} Then write the log.` },
  );
  expect(first.asked.map((one) => one['name'])).toContain('run_command');
  const active = new Set(
    ((await harness.call('GET', '/api/plugins')).body.plugins as PluginRow[]).flatMap((row) => (row.state === 'active' ? [row.name] : [])),
  );
  const isThere = (name: string): boolean => active.has(name);
  const done = async (method: string, path: string, body: object): Promise<void> =>
    expect(await harness.call(method, path, body)).toMatchObject({ status: 200 });
  const put = (env: Readonly<Record<string, string>>): Promise<void> => done('PUT', '/api/settings', { harness: { env } });

  const again = [{ toolCalls: [{ name: 'write_file', args: { path: 'again.txt', content: 'x\n' } }] }, { text: 'Again.' }];
  const second = await takeTurn(harness, model, again, { text: 'Write another one.', chatId: first.chatId });
  if (isThere('checkpoints')) await done('POST', '/api/undo', {});
  if (isThere('why')) await takeOut(harness, second);
  if (isThere('flow-rules')) await done('POST', '/api/views/flow-rules/actions/deny', { row: 'secret-address' });
  const { fields } = (await harness.call('GET', '/api/settings')).body as { fields: Field[] };
  await put(Object.fromEntries(fields.filter(({ group }) => plugins.includes(group)).map(otherValue)));
  return first.chatId;
}

/** A value that differs from the current one, so that it is stored. */
function otherValue({ key, kind, value }: Field): [string, string] {
  return [key, kind === 'boolean' ? String(value !== true) : String(Number(value) + 1)];
}

/** Removes that turn from the conversation of the model. */
async function takeOut(harness: Harness, { events, turnId }: AnsweredTurn): Promise<void> {
  const about = `message ${String(events.find((event) => event.kind === 'turn_start' && event['turnId'] === turnId)?.['messageId'])}`;
  const { actions } = (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about }).toString()}`)).body;
  const { id } = actions.find((one: { readonly id: string }) => one.id.startsWith('take-out'));
  expect(await harness.call('POST', `/api/views/why/actions/${id}`, { parameters: { about } })).toMatchObject({ status: 200 });
}

/** Closes the server. Returns plugin warnings, log warnings and resources that did not close. */
export async function end(harness: Harness): Promise<readonly unknown[]> {
  const { warnings } = harness.kernel.resolve('kernel').report();
  const unended = await harness.close({ keepFiles: true });
  return [...warnings, ...harness.logs.filter((line) => /^(?:warn|error) /.test(line)), ...unended];
}

/** Runs a further turn with an approval, reads all offers, deletes the chat and closes the server. */
export async function look(harness: Harness, model: ScriptedModel, chatId: string): Promise<Seen> {
  const replies = [{ toolCalls: [{ name: 'run_command', args: { command: 'echo three >> log.txt' } }] }, { text: 'Three.' }];
  const turn = await takeTurn(harness, model, replies, { text: 'Add a line.', chatId });
  expect(turn.asked.map((one) => one['name'])).toEqual(['run_command']);
  expect(turn.events.filter(({ kind }) => kind === 'tool_result' || kind === 'turn_end')).toMatchObject([{ ok: true }, { reason: 'done' }]);
  const { plugins, errors } = (await harness.call('GET', '/api/plugins')).body as { plugins: PluginRow[]; errors: unknown[] };
  const offers = await readOffers(harness);
  const trace = harness.kernel.trace().map((label) => label.replace(/#\d+@/, '@'));
  for (const path of [`/api/chats/${chatId}`, `/api/chats/trash/${chatId}`]) expect(await harness.call('DELETE', path)).toMatchObject({ status: 200 });
  const faults = [...errors, ...turn.events.filter(({ kind }) => kind === 'error'), ...(await end(harness))];
  return {
    rows: new Map(plugins.map((row) => [row.name, row])),
    offers: new Map([...offers].map(([label, said]) => [label, JSON.parse(withoutIds(JSON.stringify(said)))])),
    trace: trace.sort(),
    faults,
    told: turn.told.map((request) => ({ tools: request.body.tools, system: request.body.messages[0], notes: notesOf(request) })),
    events: [...new Set(turn.events.map((event) => `${event.kind}: ${Object.keys(event).sort().join(' ')}`))].sort(),
    left: await filesIn(harness.home),
  };
}
