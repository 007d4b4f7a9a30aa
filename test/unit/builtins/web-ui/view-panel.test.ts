// @vitest-environment happy-dom
// Tests a view with parameters while the reply to new parameters is pending.
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { ClientContext } from '../../../../builtins/clients/web-ui/app/kit/hooks.ts';
import { ShellContext } from '../../../../builtins/clients/web-ui/app/kit/shell-context.ts';

const { document } = globalThis as any;
// Imported by path because components are checked with the page's settings and this file is not.
const { ViewPanel } = await import(/* @vite-ignore */ `${import.meta.dirname}/../../../../builtins/clients/web-ui/app/kit/view/view-panel.tsx`);
(globalThis as any).IS_REACT_ACT_ENVIRONMENT = true;

const parameters = { properties: { days: { type: 'integer', default: 7 }, chat: { type: 'string' }, plugin: { type: 'string' } } };
const noChats = { chats: [] };
const viewOf = (values: object): object => ({
  name: 'usage',
  parameters: { input: parameters, values },
  blocks: [
    {
      kind: 'table',
      columns: [{ title: 'Plugin' }],
      rows: [{ id: 'agent', cells: ['agent'], opens: { parameters: { plugin: 'agent' } }, actions: ['mark'] }],
      rowActions: [{ id: 'mark', label: 'Mark' }],
    },
  ],
});

test('uses the parameters of the address in links and actions before the new reply arrives', async () => {
  let reply = (_view: object): void => undefined;
  const sent: any[] = [];
  const client = {
    on: () => () => undefined,
    chats: { get: () => noChats, subscribe: () => () => undefined },
    call: (key: string, asked: object) => {
      if (key.startsWith('POST')) sent.push(asked);
      return new Promise((resolve) => (reply = resolve));
    },
  };
  const box = document.createElement('div');
  const root = createRoot(box);
  const show = (given: Readonly<Record<string, string>>): Promise<void> =>
    act(async () =>
      root.render(
        createElement(
          ClientContext,
          { value: client as never },
          createElement(ShellContext, { value: { tell: () => undefined } as never }, createElement(ViewPanel, { name: 'usage', parameters, given })),
        ),
      ),
    );
  const link = (): string => box.querySelector('a').getAttribute('href');
  await show({});
  await act(async () => reply(viewOf({ days: 7 })));
  expect(link()).toBe('#/view/usage?plugin=agent');
  await show({ days: '2', chat: 'chat_1' });
  expect(link()).toBe('#/view/usage?days=2&chat=chat_1&plugin=agent');
  await act(async () => box.querySelector('.view-row-actions button').click());
  expect(sent).toMatchObject([{ body: { parameters: { days: 2, chat: 'chat_1' }, row: 'agent' } }]);
  await act(async () => root.unmount());
});
