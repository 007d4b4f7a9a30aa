// Tests distributions without one of these plugins, on a home where it was active: it leaves only the files listed here.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PluginManifest } from 'agent-harness/kernel';
import { stockBuiltins } from '../../../builtins/distribution/stock.ts';
import { whyNot as whyNotTried } from '../../unit/builtins/effect-preview/overlay-tests.ts';
import { inSoak } from '../../helpers/dice.ts';
import { allModules, load, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { makeHomes, type Homes } from '../../unit/builtins/distribution/absent-plugins-home.ts';
import { end, filesIn, live, look, type Seen } from '../../unit/builtins/distribution/absent-plugins-turns.ts';
import { innerKinds, kindOf, mentionsOf, readOffers, seenKinds } from '../../unit/builtins/distribution/offers.ts';

interface Traces {
  /** Files in the chat folder, deleted with the chat although the plugin is absent. */
  readonly goes: readonly string[];
  /** Files elsewhere that remain, because no other module owns them. */
  readonly stays: readonly string[];
}

/** Rules chosen by a person, preserved for a later reinstallation. */
const flows = 'flow_rules.json';
const provenance = ['provenance.jsonl'];
/** Sources of each note, stored as long as the note, also in the full distribution. */
const notes = 'plugin-data/why/derived-notes.json';
/** Empty marker file named after the chat. The plugin removes it when it is active again. */
const mark = 'unsettled/chat_…';

const traces = {
  origins: { goes: provenance, stays: [flows, notes] },
  'flow-rules': { goes: [], stays: [flows] },
  'effect-preview': { goes: [], stays: [] },
  'rule-trials': { goes: [], stays: [] },
  replay: { goes: ['replays'], stays: [] },
  'turn-costs': { goes: [], stays: [] },
  why: { goes: provenance, stays: [notes] },
  'support-file': { goes: [], stays: [] },
  checkpoints: { goes: ['checkpoints'], stays: [mark] },
} as const satisfies Partial<Record<(typeof stockBuiltins)[number], Traces>>;
const names = Object.keys(traces);
const leftOut = inSoak(names, ['origins', 'why', 'checkpoints']);

let model: ScriptedModel;
let homes: Homes;
let manifests: ReadonlyMap<string, PluginManifest>;
let chatId: string;
/** Files of the home with all plugins, and the journal of its chat. */
let remainingFiles: readonly string[];
let journal: string;
let full: Seen;

beforeAll(async () => {
  const modules = { ...(await load(allModules.platform)), ...(await load(allModules.builtin, stockBuiltins)) };
  manifests = new Map(Object.entries(modules).map(([name, { manifest }]) => [name, (manifest ?? { name }) as PluginManifest]));
  model = await startScriptedModel(() => ({ text: 'Nothing.' }));
  homes = await makeHomes();
  await homes.empty();
  chatId = await liveWith(stockBuiltins);
  await homes.keep();
  remainingFiles = await filesIn(homes.home);
  journal = await readFile(join(homes.home, 'chats', chatId, 'session.jsonl'), 'utf8');
  full = await look(await homes.start(model, stockBuiltins), model, chatId);
});
afterAll(async () => {
  await homes.remove();
  await model.close();
});

async function liveWith(builtins: readonly string[]): Promise<string> {
  const harness = await homes.start(model, builtins);
  const lived = await live(harness, model, names);
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  return lived;
}

/** The plugin and all that require its services, transitively. */
function goneWith(name: string): ReadonlySet<string> {
  const gone = new Set([name]);
  for (let before = 0; before < gone.size;) {
    before = gone.size;
    const given = new Set([...gone].flatMap((one): readonly string[] => manifests.get(one)?.provides ?? []));
    for (const [other, { requires = [] }] of manifests) if (requires.some((key) => given.has(key))) gone.add(other);
  }
  return gone;
}

test('has files, events and a preview of these plugins in the prepared home', () => {
  const events = names.flatMap((name) => full.rows.get(name)?.adds.filter((label) => kindOf(label) === 'event') ?? []);
  expect(events.length).toBeGreaterThan(0);
  expect(events.map((label) => label.slice('event:'.length)).filter((kind) => !journal.includes(`"kind":"${kind}"`))).toEqual([]);
  if (whyNotTried === undefined) expect(journal).toContain('"rehearsal":');
  const lasting = Object.values(traces).flatMap(({ goes, stays }) => [...goes, ...stays]);
  expect(lasting.filter((name) => !remainingFiles.some((path) => path === name || path.startsWith(`chats/chat_…/${name}`)))).toEqual([]);
});

test('runs the full distribution on the same home without faults', () => {
  expect(full.faults).toEqual([]);
  expect([...full.rows.values()].filter(({ state }) => state === 'failed' || state === 'unmet')).toEqual([]);
});

describe.each(leftOut)('without %s', (name) => {
  let gone: ReadonlySet<string>;
  /** On the home where the plugin was active, and on one that never had it. */
  let old: Seen;
  let fresh: Seen;
  /** Full distribution on the home that ran without the plugin. */
  let back: Harness;
  let freshFiles: readonly string[];
  /** Labels of the contributions of the plugin and of those that require it. */
  let own: readonly string[];

  beforeAll(async () => {
    gone = goneWith(name);
    own = [...gone].flatMap((one) => full.rows.get(one)?.adds ?? []);
    const builtins = stockBuiltins.filter((one) => one !== name);
    await homes.empty();
    const chat = await liveWith(builtins);
    freshFiles = await filesIn(homes.home);
    fresh = await look(await homes.start(model, builtins), model, chat);
    await homes.restore();
    old = await look(await homes.start(model, builtins), model, chatId);
    back = await homes.start(model, stockBuiltins);
  });
  afterAll(() => back.close({ keepFiles: true }));

  test('starts and completes a turn with an approval without faults', () => {
    expect(old.faults).toEqual([]);
  });

  test('keeps the other plugins unchanged and reports dependent plugins as unmet', () => {
    const shown = (seen: Seen): object[] =>
      [...seen.rows.values()]
        .filter((row) => !gone.has(row.name))
        .map(({ name: other, state, reason, adds }) => ({ name: other, state, reason, adds }))
        .sort((left, right) => (left.name < right.name ? -1 : 1));
    expect(shown(old)).toEqual(shown(full));
    const needing = [...gone].filter((one) => one !== name);
    expect(needing.map((one) => old.rows.get(one))).toMatchObject(
      needing.map(() => ({ state: 'unmet', reason: expect.stringContaining('needs service'), adds: [] })),
    );
    expect(old.rows.has(name)).toBe(false);
  });

  test('leaves no internal registrations of the plugin', () => {
    const events = own.flatMap((label) => (kindOf(label) === 'event' ? [`on:${label.slice('event:'.length)}@`] : []));
    const isGone = (label: string): boolean => gone.has(label.slice(label.lastIndexOf('@') + 1)) || events.some((start) => label.startsWith(start));
    expect(old.trace).toEqual(full.trace.filter((label) => !isGone(label)));
    expect(own.length).toBeGreaterThan(0);
  });

  test('offers everything except the contributions of the plugin', () => {
    // Any other kind of contribution must be listed in seenKinds or innerKinds.
    expect(own.filter((label) => !seenKinds.has(kindOf(label)) && !innerKinds.has(kindOf(label)))).toEqual([]);
    const seen = own.filter((label) => seenKinds.has(kindOf(label)));
    expect(seen.filter((label) => !full.offers.has(label))).toEqual([]);
    const isGone = (label: string, said: any): boolean => seen.includes(label) || (kindOf(label) === 'setting' && gone.has(said.group));
    /** Current values depend on the active plugins, their fields do not. */
    const said = (label: string, value: unknown): unknown => (kindOf(label) === 'now' ? 'said' : value);
    const expected = [...full.offers].filter(([label, value]) => !isGone(label, value)).map(([label, value]) => [label, said(label, value)]);
    expect(Object.fromEntries([...old.offers].map(([label, value]) => [label, said(label, value)]))).toEqual(Object.fromEntries(expected));
  });

  test('matches a home that never had the plugin in offers, model input and events', () => {
    expect(Object.fromEntries(old.offers)).toEqual(Object.fromEntries(fresh.offers));
    expect(old.told).toEqual(fresh.told);
    expect(old.events).toEqual(fresh.events);
  });

  test('mentions the plugin nowhere else', () => {
    expect(mentionsOf(own, JSON.stringify([...old.offers, ...old.told]))).toEqual([]);
  });

  test('deletes its chat files with the chat and leaves only the listed files elsewhere', () => {
    const { goes, stays } = traces[name as keyof typeof traces];
    const before = new Set(remainingFiles.filter((path) => !freshFiles.includes(path)).flatMap((path) => /^chats\/[^/]+\/([^/]+)/.exec(path)?.[1] ?? []));
    expect([...before]).toEqual(expect.arrayContaining([...goes]));
    expect(old.left.filter((path) => path.startsWith('chats/'))).toEqual([]);
    expect(old.left.filter((path) => !fresh.left.includes(path)).sort()).toEqual([...stays]);
  });

  test('restores all contributions when the plugin is added again', async () => {
    const offered = [...(await readOffers(back)).keys()];
    expect(own.filter((label) => seenKinds.has(kindOf(label)) && !offered.includes(label))).toEqual([]);
    expect(await end(back)).toEqual([]);
  });
});
