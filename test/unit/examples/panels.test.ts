// Tests the example panels: loads them as user plugins, fetches their scripts from the server and runs them in a document.
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { afterAll, expect, test, vi } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';

// Stubs only the document; the server needs the other Node globals.
const window = new Window();
const document = window.document as any;
vi.stubGlobal('document', document);

let harness: Harness | undefined;
afterAll(async () => {
  vi.unstubAllGlobals();
  await window.happyDOM.close();
});

async function openExample(name: string): Promise<{ harness: Harness; row: any; mount(element: unknown, context: unknown): unknown }> {
  harness = await startHarness({ environment: { AGENT_PLUGIN_DIR: join(import.meta.dirname, '../../../examples', name) } });
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  expect(plugins.filter((plugin: any) => plugin.origin === 'user')).toMatchObject([{ name, state: 'active' }]);
  const row = (await harness.call('GET', '/api/ui/panels')).body.panels.find((panel: any) => panel.plugin === name);
  const { status, body: script } = await harness.call('GET', row.url);
  expect(status).toBe(200);
  const { mount } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script)}`);
  return { harness, row, mount };
}

function clientOf({ call }: Harness, activeChatId: string) {
  const listeners = new Set<(event: any) => void>();
  return {
    tell: (event: unknown) => listeners.forEach((listener) => listener(event)),
    chats: { get: () => ({ activeChatId }), subscribe: () => () => undefined },
    on: (listener: (event: any) => void) => listeners.add(listener),
    async call(key: string, { query = {} }: { query?: Record<string, string> } = {}) {
      const [method = '', path] = key.split(' ');
      return (await call(method, `${path}?${new URLSearchParams(query)}`)).body;
    },
  };
}

test('live-panel shows the tokens and tools of the active chat live and declares the routes it uses', async () => {
  const { harness, row, mount } = await openExample('live-panel');
  const { paths } = (await harness.call('GET', '/api/openapi.json')).body;
  for (const key of row.uses.routes) expect(paths[key.split(' ')[1]]).toHaveProperty('get');
  const { body } = await harness.call('POST', '/api/message', { text: 'list the files' });
  await harness.kernel.resolve('turns').ended(body.turnId);
  const client = clientOf(harness, body.chatId);
  const element = document.createElement('div');
  const leave = mount(element, { client, theme: 'light' }) as () => void;
  await vi.waitFor(() => expect(element.textContent).toMatch(/Idle\.[1-9]\d* tokens in [1-9]\d* model calls/));
  expect(element.textContent).toContain('No tool has run yet.');

  client.tell({ kind: 'tool_result', chatId: 'chat_other', name: 'other', ok: true, durationMs: 1 });
  for (let at = 0; at < 12; at++) client.tell({ kind: 'tool_result', chatId: body.chatId, name: `tool_${at}`, ok: at !== 11, durationMs: 1_500 });
  const items = [...element.querySelectorAll('li')].map((item: any) => item.textContent);
  expect(items).toHaveLength(10);
  expect(items[0]).toBe('tool_11: failed after 1.5 s');
  expect(element.querySelectorAll('p:not([hidden])')).toHaveLength(2);
  leave();
});

test('marks: a mark is stored in the transcript with its data, and each panel appears in its own slot', async () => {
  const { harness, mount } = await openExample('marks');
  const { panels } = (await harness.call('GET', '/api/ui/panels')).body;
  expect(panels.filter(({ plugin }: any) => plugin === 'marks').map(({ id, slot }: any) => [id, slot])).toEqual([
    ['mark', 'note'],
    ['marks', 'panel'],
    ['first-mark', 'first-run'],
  ]);
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  await harness.call('POST', '/api/commands', { name: 'mark', args: 'an idea', chatId });
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries).toMatchObject([{ kind: 'system', text: 'Mark: an idea', code: 'mark_set', data: { text: 'an idea' } }]);
  const element = document.createElement('div');
  mount(element, { entry: entries[0] });
  expect(element.textContent).toBe('★ an idea');
});

test('own-result: the tool runs without approval, and its script renders the tool output', async () => {
  const { harness, row, mount } = await openExample('own-result');
  expect(row).toMatchObject({ slot: 'tool_result', tools: ['machine_facts'] });
  const { body } = await harness.call('POST', '/api/message', { text: 'call machine_facts with {}' });
  await harness.kernel.resolve('turns').ended(body.turnId);
  const { entries } = (await harness.call('GET', `/api/chats/${body.chatId}/transcript`)).body;
  const { output } = entries.find((entry: any) => entry.kind === 'tool');
  const element = document.createElement('div');
  mount(element, { entry: { kind: 'tool', name: 'machine_facts', state: 'ok', output } });
  const cells = [...element.querySelectorAll('tr')].map((row: any) => [...row.children].map((cell: any) => cell.textContent));
  expect(cells.slice(0, 1)).toEqual([['Fact', 'Value']]);
  expect(cells.find(([fact]) => fact === 'Memory')?.[1]).toMatch(/^\d+(\.\d)? GiB$/);
  expect(() => mount(element, { entry: { state: 'failed', output: 'no luck' } })).toThrow('no luck');
});
