// Connects to the desktop protocol in tests: sends raw frames, and exposes every reply and event.
import { once } from 'node:events';
import { closeAfterTest } from './close-after-test.ts';
import { WebSocket } from 'ws';
import type { Harness } from './harness.ts';

export interface Reply {
  readonly v: number;
  readonly re: string | number | null;
  readonly ok: boolean;
  readonly status: number;
  readonly data?: any;
  readonly error?: any;
}

export interface WireFrame {
  readonly event: string;
  readonly chatId: string | null;
  readonly id?: number;
  readonly data: any;
}

export interface DesktopSocket {
  readonly socket: WebSocket;
  readonly events: WireFrame[];
  readonly strays: Reply[];
  ask(command: string, data?: unknown): Promise<Reply>;
  /** Sends the frame unchanged, and resolves with the next reply with that id. */
  raw(frame: string | Buffer, re: string | number | null): Promise<Reply>;
  until(fits: string | ((frame: WireFrame) => boolean)): Promise<WireFrame>;
  readonly closed: Promise<number>;
  close(): void;
}

export interface SocketOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isQuiet?: boolean;
}

/** Opens a client socket. Resolves after `connected`. The caller closes the socket. */
export async function openDesktopSocket(
  harness: Pick<Harness, 'url' | 'token'>,
  { query = {}, token = harness.token, headers = {}, isQuiet = false }: SocketOptions = {},
): Promise<DesktopSocket> {
  const address = `${harness.url.replace('http', 'ws')}/api/ws?${new URLSearchParams({ token, ...query }).toString()}`;
  const socket = new WebSocket(address, { headers, perMessageDeflate: false });
  const events: WireFrame[] = [];
  const strays: Reply[] = [];
  const pending = new Map<string | number | null, (reply: Reply) => void>();
  const waiting = new Set<() => void>();
  let ids = 0;
  let isClosed = false;
  const closed = new Promise<number>((resolve) =>
    socket.once('close', (code) => {
      isClosed = true;
      for (const look of [...waiting]) look();
      resolve(code);
    }),
  );
  socket.on('message', (content, isBinary) => {
    if (isBinary) throw new Error('the server sent bytes');
    const frame = JSON.parse((content as Buffer).toString());
    if (frame.v !== 1) throw new Error(`a frame of version ${frame.v}`);
    if ('event' in frame) {
      events.push(frame);
      for (const look of [...waiting]) look();
      return;
    }
    const resolve = pending.get(frame.re);
    pending.delete(frame.re);
    if (resolve) resolve(frame);
    else strays.push(frame);
  });
  socket.on('error', () => undefined);
  const raw = (frame: string | Buffer, re: string | number | null): Promise<Reply> => {
    const reply = new Promise<Reply>((resolve) => pending.set(re, resolve));
    socket.send(frame);
    return reply;
  };
  const opened: DesktopSocket = {
    ...{ socket, events, strays, closed, raw },
    ask(command, data) {
      const id = ++ids;
      return raw(JSON.stringify({ v: 1, id, command, ...(data === undefined ? {} : { data }) }), id);
    },
    until(fits) {
      const isIt = typeof fits === 'string' ? (frame: WireFrame): boolean => frame.event === fits : fits;
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(isIt);
          if (!found && !isClosed) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(new Error(`the connection ended; seen: ${events.map((frame) => frame.event).join(' ')}`));
        };
        waiting.add(look);
        look();
      });
    },
    close: () => socket.terminate(),
  };
  await once(socket, 'open');
  closeAfterTest(opened.close);
  if (!isQuiet) await opened.until('connected');
  return opened;
}
