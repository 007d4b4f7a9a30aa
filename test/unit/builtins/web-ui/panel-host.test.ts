// @vitest-environment happy-dom
// Tests plugin panels in the page: mounted in their slot, isolated on errors, and unmounted with their plugin.
import { act, createElement, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChatContext, ClientContext } from '../../../../builtins/clients/web-ui/app/kit/hooks.ts';

const { document } = globalThis as any;
// Imported by path because components are checked with the page's settings and this file is not.
const folder = `${import.meta.dirname}/../../../../builtins/clients/web-ui/app/points`;
const load = (name: string): Promise<any> => import(/* @vite-ignore */ `${folder}/${name}.tsx`);
const { PanelPage } = await load('panel-page');
const { Slot } = await load('slot');
const { ToolResultSlot } = await load('tool-result-slot');
(globalThis as any).IS_REACT_ACT_ENVIRONMENT = true;

const panelOf = (id: string, slot: string, code: string, more: object = {}) => ({
  ...{ id, title: `Title of ${id}`, slot, plugin: `plugin-of-${id}` },
  ...more,
  url: `data:text/javascript,${encodeURIComponent(`${code} // ${id} ?`)}`,
});
const good = (id: string, slot: string, more: object = {}) =>
  panelOf(
    id,
    slot,
    `export function mount(element, { chatId, entry, client, theme }) {
      element.textContent = [${JSON.stringify(id)}, chatId, entry?.output, theme].filter(Boolean).join(' ');
      client.on((event) => { if (event.kind === 'burn') throw new Error('burnt'); element.textContent = event.kind; });
      return () => globalThis.notices.push('gone ' + ${JSON.stringify(id)} + ' ' + element.textContent);
    }`,
    more,
  );

let panels: unknown[];
let listeners: Set<(event: { kind: string }) => void>;
let notices: string[];
let asked: number;
let box: any;
let root: Root;

beforeEach(() => {
  panels = [];
  asked = 0;
  listeners = new Set();
  (globalThis as any).notices = notices = [];
  location.hash = '#/panel/own';
  box = document.createElement('div');
  root = createRoot(box);
});
afterEach(() => act(async () => root.unmount()));

const client = () =>
  ({
    connection: { get: () => ({ stream: 'open', rest: 'up' }), subscribe: () => () => undefined },
    async call(key: string) {
      asked++;
      expect(key).toBe('GET /api/ui/panels');
      return { panels: panels.map((panel) => ({ ...(panel as object) })) };
    },
    on(listener: (event: { kind: string }) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  }) as never;

const draw = (known: never, page: ReactNode, chatId?: string) =>
  act(async () =>
    root.render(
      createElement(ClientContext, { value: known }, createElement(ChatContext, { value: chatId === undefined ? undefined : ({ chatId } as never) }, page)),
    ),
  );
const tell = (kind: string) => act(async () => listeners.forEach((listener) => listener({ kind })));
const reads = (text: string) => vi.waitFor(() => act(async () => expect(box.textContent).toContain(text)));

test('mounts panels in a page, a slot and a tool result and requests the panel list once', async () => {
  panels = [good('own', 'panel'), good('button', 'composer'), good('facts', 'tool_result', { tools: ['tell'] })];
  const known = client();
  const entry = (state: string, name = 'tell') => ({ kind: 'tool', id: 'e', name, state, output: 'forty-two' }) as never;
  const page = (state: string) => [
    createElement(PanelPage, { key: 1 }),
    createElement(Slot, { name: 'composer', key: 2 }),
    createElement(Slot, { name: 'settings', key: 3 }),
    createElement(ToolResultSlot, { entry: entry(state), fallback: '[plain]', key: 4 }),
    createElement(ToolResultSlot, { entry: entry('ok', 'other'), fallback: '[other]', key: 5 }),
  ];
  await draw(known, page('running'), 'chat_1');
  await reads('button chat_1');
  await reads('own chat_1');
  expect(box.querySelector('h1').textContent).toBe('Title of own');
  expect(box.textContent).toContain('[plain][other]');
  await draw(known, page('ok'), 'chat_1');
  await reads('facts chat_1 forty-two');
  expect(box.textContent).not.toContain('[plain]');
  expect([asked, box.querySelectorAll('[data-slot]')].flat().length).toBe(2);
});

test('removes listeners and runs the cleanup when a panel is unmounted', async () => {
  panels = [good('own', 'panel')];
  const known = client();
  await draw(known, createElement(PanelPage));
  await reads('own');
  const before = listeners.size;
  await tell('tick');
  await reads('tick');
  panels = [];
  await tell('config_changed');
  await reads('Panel “own” does not exist.');
  expect(notices).toEqual(['gone own config_changed']);
  expect(listeners.size).toBe(before - 1);
});

test('keeps an unchanged panel mounted when another plugin changes, and remounts a reloaded one', async () => {
  panels = [good('own', 'panel')];
  await draw(client(), createElement(PanelPage));
  await reads('own');
  panels = [...panels, good('late', 'composer')];
  await tell('config_changed');
  expect(notices).toEqual([]);
  panels = [{ ...(panels[0] as object), url: `${(panels[0] as { url: string }).url}%20//%20again` }];
  await tell('config_changed');
  await vi.waitFor(() => expect(notices).toEqual(['gone own config_changed']));
});

test.each([
  ['throws in mount', "export function mount() { throw new Error('no luck'); }", 'no luck'],
  ['rejects later', "export async function mount() { await 0; throw new Error('no luck'); }", 'no luck'],
  ['throws something odd', 'export function mount() { throw Object.create(null); }', 'without a text form'],
  ['has no mount', 'export const nothing = 1;', "no function 'mount'"],
  ['does not load', "throw new Error('no start');", 'no start'],
])('shows the plugin and the error of a panel that %s without affecting other panels', async (_, code, words) => {
  panels = [panelOf('sad', 'tool_result', code, { tools: ['tell'] }), good('glad', 'composer')];
  const entry = { kind: 'tool', id: 'e', name: 'tell', state: 'ok', output: 'x' } as never;
  await draw(client(), [createElement(ToolResultSlot, { entry, fallback: '[plain]', key: 1 }), createElement(Slot, { name: 'composer', key: 2 })]);
  await reads(words);
  await reads('glad');
  const card = box.querySelector('[role=group]');
  expect([card.getAttribute('aria-label'), card.querySelector('code').textContent]).toEqual(['Fault in Title of sad', 'plugin-of-sad']);
  expect(box.textContent).toContain('[plain]');
});

test('shows the error of a throwing listener in its panel and mounts the panel again on retry', async () => {
  panels = [good('own', 'panel')];
  await draw(client(), createElement(PanelPage));
  await reads('own');
  await tell('burn');
  await reads('burnt');
  expect(notices).toHaveLength(1);
  await act(async () => box.querySelector('button').click());
  await vi.waitFor(() => act(async () => expect(box.querySelector('[data-panel-id=own]')?.textContent).toContain('own')));
  expect(box.textContent).not.toContain('burnt');
});

test("contains an error thrown by a panel's cleanup", async () => {
  location.hash = '#/panel/sad';
  panels = [panelOf('sad', 'panel', "export function mount(element) { element.textContent = 'here'; return () => { throw new Error('no'); }; }")];
  await draw(client(), createElement(PanelPage));
  await reads('here');
  panels = [];
  await tell('config_changed');
  await reads('does not exist');
});
