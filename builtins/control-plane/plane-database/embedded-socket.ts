// Shares the embedded database of a running server with CLI commands, over a socket in the home folder that only the folder's owner can access.
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { Disposable } from 'agent-harness/kernel';
import { codeOf, messageOf } from '#lib/errors';
import { createChannels, type Channels } from './channels.ts';
import type { MakeError } from './connection.ts';
import type { EmbeddedClient } from './embedded-client.ts';
import { readFault, type EmbeddedFault, type EmbeddedRequest, type EmbeddedRows } from './embedded-protocol.ts';

type ToOwner = { readonly id: number; readonly request: EmbeddedRequest; readonly limitMs: number | undefined } | ThreadMessage;
type FromOwner = { readonly id: number; readonly answer: EmbeddedRows } | { readonly id: number; readonly fault: EmbeddedFault } | ThreadMessage;
interface ThreadMessage {
  readonly channel: string;
  readonly payload: string;
}

const unavailable = 'PLANE_DATABASE_ERR_UNAVAILABLE';
/** Size of the length prefix of a message in bytes. */
const headBytes = 4;

/** Serves other processes of this home folder. Resolves with `undefined` if the system does not support such sockets or the path is too long. */
export async function shareEmbedded(path: string, client: EmbeddedClient, channels: Channels): Promise<Disposable | undefined> {
  if (process.platform === 'win32') return undefined;
  let joined = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const name = `joined-${++joined}`;
    const open = new Set<string>();
    sockets.add(socket);
    const subscription = channels.listenAll((channel, payload) => send(socket, { channel, payload }));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      void subscription.dispose();
      for (const session of open) client.ask({ op: 'end', session, how: 'rollback' }, undefined).catch(() => undefined);
    });
    readFrames<ToOwner>(socket, (message) => {
      if ('channel' in message) return channels.notify(message.channel, message.payload);
      const { id, request, limitMs } = message;
      const session = request.session === undefined ? undefined : `${name} ${request.session}`;
      if (session !== undefined && request.op === 'begin') open.add(session);
      if (session !== undefined && request.op === 'end') open.delete(session);
      client.ask({ ...request, ...(session === undefined ? {} : { session }) }, limitMs).then(
        (answer) => send(socket, { id, answer }),
        (fault: unknown) => send(socket, { id, fault: { ...(fault as object), message: messageOf(fault) } }),
      );
    });
  });
  await rm(path, { force: true });
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(path, () => resolve(true));
  });
  if (!isOpen) return undefined;
  await chmod(path, 0o600);
  return {
    async dispose() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Connects to the database of a running server. Resolves with `undefined` if no server shares it. */
export async function joinEmbedded(path: string, makeError: MakeError): Promise<{ readonly client: EmbeddedClient; readonly channels: Channels } | undefined> {
  if (process.platform === 'win32') return undefined;
  const socket = await new Promise<Socket | undefined>((resolve) => {
    const trying = connect(path);
    trying.once('connect', () => resolve(trying)).once('error', () => resolve(undefined));
  });
  if (!socket) return undefined;
  const received = createChannels();
  const waiting = new Map<number, { resolve(answer: EmbeddedRows): void; reject(fault: Error): void }>();
  let ids = 0;
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    for (const one of waiting.values()) one.reject(makeError('UNAVAILABLE', { why: 'the server that shares it has stopped.' }));
    waiting.clear();
  });
  readFrames<FromOwner>(socket, (message) => {
    if ('channel' in message) return received.notify(message.channel, message.payload);
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if ('answer' in message) one?.resolve(message.answer);
    else one?.reject(codeOf(message.fault) === unavailable ? makeError('UNAVAILABLE', { why: 'it is busy.' }) : readFault(message.fault));
  });
  return {
    channels: { ...received, notify: (channel, payload) => send(socket, { channel, payload }) },
    client: {
      ask: (request, limitMs) =>
        new Promise((resolve, reject) => {
          if (socket.destroyed) return reject(makeError('UNAVAILABLE', { why: 'the server that shares it has stopped.' }));
          const id = ++ids;
          waiting.set(id, { resolve, reject });
          send(socket, { id, request, limitMs });
        }),
      close: () =>
        new Promise((resolve) => {
          if (socket.destroyed) return resolve();
          socket.once('close', () => resolve());
          socket.end();
        }),
    },
  };
}

function send(socket: Socket, message: ToOwner | FromOwner): void {
  if (socket.destroyed || socket.writableEnded) return;
  const body = serialize(message);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.byteLength);
  socket.write(Buffer.concat([head, body]));
}

function readFrames<T>(socket: Socket, onMessage: (message: T) => void): void {
  let kept: Buffer[] = [];
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    kept.push(chunk);
    size += chunk.byteLength;
    for (;;) {
      if (size < headBytes) return;
      let all = kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept);
      kept = [all];
      const end = headBytes + all.readUInt32BE(0);
      if (size < end) return;
      onMessage(deserialize(all.subarray(headBytes, end)) as T);
      all = all.subarray(end);
      kept = all.byteLength === 0 ? [] : [all];
      size = all.byteLength;
    }
  });
}
