import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openEventStream, useEach } from '../../../helpers/in-process.ts';
import { openStreamRig } from './open-stream.ts';

let chatId: string;
const rig = useEach(() => openStreamRig());
beforeEach(async () => {
  ({ chatId } = await rig.chats.active());
});
afterEach(() => void vi.useRealTimers());

/** A reader that reads only the head. */
async function openStalled(query = ''): Promise<{ socket: Socket; read: () => Promise<string> }> {
  const { port } = new URL(rig.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET /api/stream?chatId=${chatId}${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${rig.token}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
  });
  return {
    socket,
    read: () =>
      new Promise((resolve) => {
        let text = '';
        socket.on('data', (piece) => (text += piece.toString()));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
        socket.resume();
      }),
  };
}

const delta = 'x'.repeat(8 * 1024);
/** Emits in steps, so that the events arrive in many batches. */
async function emitMegabytes(count: number): Promise<void> {
  for (let index = 0; index < count * 8; index++) {
    rig.emitText(chatId, 16, delta);
    await rig.log.flushed(chatId);
  }
}

test('a slow reader is disconnected with bounded memory and without effect on others', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const slow = await openStalled();
  const quick = await openEventStream(rig, { chatId });
  await emitMegabytes(16);
  rig.emit('turn_end', { chatId, turnId: 'turn_1' });
  await quick.until('turn_end');
  expect(quick.events.filter((event) => event.kind === 'text')).toHaveLength(16 * 8 * 16);
  expect(rig.kernel.resolve('stream').clients).toBe(2);
  vi.advanceTimersByTime(12_000);
  await expect.poll(() => rig.kernel.resolve('stream').clients).toBe(1);
  expect((await slow.read()).length).toBeLessThan(12 * 1024 * 1024);
  rig.emitText(chatId, 1, 'still here');
  await quick.until((event) => event['delta'] === 'still here');
});

test('a temporarily slow reader catches up without a gap', async () => {
  const slow = await openStalled();
  await emitMegabytes(16);
  rig.emit('turn_end', { chatId, turnId: 'turn_1' });
  const seen: string[] = [];
  const done = new Promise<void>((resolve) => {
    let tail = '';
    slow.socket.on('data', (piece) => {
      tail += piece.toString('latin1');
      const lines = tail.split('\n');
      tail = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('id: ')) seen.push(line.slice(4));
      if (lines.some((line) => line.includes('"kind":"turn_end"'))) resolve();
    });
  });
  slow.socket.resume();
  await done;
  const ids = seen.map(Number);
  expect(ids).toHaveLength(16 * 8 * 16 + 1);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => (ids[0] as number) + index));
  slow.socket.destroy();
});

test('an unread replay is disconnected too', async () => {
  await emitMegabytes(16);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const slow = await openStalled('&since=0');
  await expect
    .poll(() => {
      vi.advanceTimersByTime(2_000);
      return rig.kernel.resolve('stream').clients;
    })
    .toBe(0);
  slow.socket.destroy();
});

test('stopping the server ends every stream and leaves no timer or listener behind', async () => {
  const stream = await openEventStream(rig);
  const ended = expect(stream.until('never')).rejects.toThrow('the stream ended');
  await rig.kernel.resolve('http').close();
  await ended;
  expect(await rig.kernel.close()).toEqual([]);
  expect(rig.kernel.trace()).toEqual([]);
});
