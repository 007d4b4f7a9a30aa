import { expect, test } from 'vitest';
import { whyActingAsks } from '../../../builtins/tools/browser/acting.ts';
import { operations } from '../../../builtins/tools/browser/inputs.ts';
import { createTab } from '../../../builtins/tools/browser/tab.ts';

const page = { on: () => undefined, url: () => 'https://shop.example/cart?x=1' };
const tab = createTab('tab_1', page as never, '/nowhere');
tab.keepNames('- generic [ref=e1]:\n  - button "Buy \\"now\\"" [disabled] [ref=e2]\n  - textbox [ref=e3]: Some text\n  - \'link "a: b" [ref=e4]\':\n');
const browsers = { findInChat: (chatId: string, id: string) => (chatId === 'chat_1' && id === 'tab_1' ? tab : undefined) };
const why = (actions: unknown, chatId = 'chat_1'): string | undefined => whyActingAsks({ sessionId: 'tab_1', actions }, chatId, browsers);

test('requires an approval only for actions that may send data out', () => {
  const asking = operations.filter((op) => why([{ op }]) !== undefined);
  expect(asking).toEqual(['click', 'fill', 'type', 'press', 'select', 'check', 'uncheck', 'upload']);
  expect(why([{ op: 'dialog', accept: true }])).toContain('accept a dialog');
  expect(why([{ op: 'dialog', accept: false }])).toBeUndefined();
  expect(why([{ op: 'read' }, { op: 'goto', url: 'https://x.example' }, { op: 'click', ref: 'e2' }])).toContain('click');
});

test('names the site, the elements and the files in the approval reason', () => {
  expect(why([{ op: 'click', ref: 'e2' }])).toContain('The call acts on https://shop.example and may send data: click button "Buy \\"now\\"".');
  expect(why([{ op: 'fill', ref: 'e3', text: 'a\nb' }])).toContain('fill textbox "a b"');
  expect(why([{ op: 'click', ref: 'e4' }])).toContain('click \'link "a: b"');
  expect(why([{ op: 'upload', selector: '#f', paths: ['a.txt', 'b.txt'] }])).toContain('upload #f the files a.txt, b.txt');
  expect(why([{ op: 'click', ref: 'e9' }])).toContain('click e9');
});

test('shortens the approval reason for many actions and names no page of another chat', () => {
  const many = why(Array.from({ length: 40 }, () => ({ op: 'fill', selector: 's'.repeat(500), text: 'x'.repeat(90_000) }))) ?? '';
  expect(many).toContain('and 28 more');
  expect(many.length).toBeLessThan(3_000);
  expect(why([{ op: 'click', ref: 'e2' }], 'chat_2')).toContain('acts on a page and');
  expect(why('nonsense')).toBeUndefined();
});
