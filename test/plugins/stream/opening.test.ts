import { expect, test } from 'vitest';
import type { SocketWriter } from '../../../plugins/stream/socket-writer.ts';
import { createReader } from '../../../plugins/stream/reader.ts';

test('a reader that was ended while its connection was being opened sends nothing and is closed', async () => {
  const done: string[] = [];
  const writer: SocketWriter = {
    isClosed: false,
    offer: () => true,
    send: (text) => (done.push(`send ${text}`), Promise.resolve()),
    push: (text) => void done.push(`push ${text}`),
    onDrain: () => undefined,
    onClose: () => undefined,
    end: () => void done.push('end'),
    destroy: () => void done.push('destroy'),
  };
  const frame = { id: 1, kind: 'text', chatId: 'chat_1', json: '{"id":1}' };
  const eventLog = { cursor: 1, replay: () => Promise.resolve([frame]) };
  const reader = createReader({ kind: 'chat', chatId: 'chat_1' }, { eventLog, chats: {}, onFault: (fault: unknown) => void done.push(String(fault)) } as never);
  reader.end();
  reader.start(writer, 0);
  await new Promise(setImmediate);
  reader.notice('still here');
  expect(done).toEqual(['end']);
});
