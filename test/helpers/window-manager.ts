// Runs a window manager for a virtual screen: minimises and restores windows, which is not possible without a window manager. Implements the required part of
// the X protocol, because no window manager is installed where the tests run.
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

export interface WindowManager {
  close(): void;
}

const mapRequest = 20;
const configureRequest = 23;
const clientMessage = 33;
const [normal, iconic] = [1, 3];
const types = { atom: 4, window: 33 };
/** Substructure redirect and notify: the X server leaves all window changes to this client. */
const managerMask = (1 << 20) | (1 << 19);

/** @param display `:99` */
export async function manageWindows(display: string): Promise<WindowManager> {
  const socket = createConnection(`/tmp/.X11-unix/X${display.slice(1)}`);
  const read = reader(socket);
  await once(socket, 'connect');
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const head = await read(8);
  const setup = await read(head.readUInt16LE(6) * 4);
  if (head[0] !== 1) throw new Error('the screen lets no window manager in');
  const own = setup.readUInt32LE(4);
  const root = setup.readUInt32LE(32 + Math.ceil(setup.readUInt16LE(16) / 4) * 4 + (setup[21] ?? 0) * 8);

  const request = (opcode: number, data: number, ...words: readonly number[]): void => {
    const bytes = Buffer.alloc(4 + words.length * 4);
    bytes.writeUInt8(opcode, 0);
    bytes.writeUInt8(data, 1);
    bytes.writeUInt16LE(1 + words.length, 2);
    words.forEach((word, at) => bytes.writeUInt32LE(word >>> 0, 4 + at * 4));
    socket.write(bytes);
  };
  async function atom(name: string): Promise<number> {
    const padded = Buffer.alloc(Math.ceil(name.length / 4) * 4);
    padded.write(name, 'latin1');
    const bytes = Buffer.concat([Buffer.from([16, 0, 2 + padded.length / 4, 0, name.length, 0, 0, 0]), padded]);
    socket.write(bytes);
    return (await read(32)).readUInt32LE(8);
  }
  const change = (window: number, property: number, type: number, values: readonly number[]): void =>
    request(18, 0, window, property, type, 32, values.length, ...values);

  const wmState = await atom('WM_STATE');
  const wmChangeState = await atom('WM_CHANGE_STATE');
  const netState = await atom('_NET_WM_STATE');
  const hidden = await atom('_NET_WM_STATE_HIDDEN');
  const activate = await atom('_NET_ACTIVE_WINDOW');
  const supported = await atom('_NET_SUPPORTED');
  const check = await atom('_NET_SUPPORTING_WM_CHECK');
  request(2, 0, root, 1 << 11, managerMask);
  request(1, 0, own, root, 0, 1 | (1 << 16), 1 << 16, 0, 0);
  for (const window of [root, own]) change(window, check, types.window, [own]);
  change(root, supported, types.atom, [netState, hidden, activate]);

  function show(window: number): void {
    request(8, 0, window);
    change(window, wmState, wmState, [normal, 0]);
    change(window, netState, types.atom, []);
    request(42, 1, window, 0);
    change(root, activate, types.window, [window]);
  }
  function hide(window: number): void {
    request(10, 0, window);
    change(window, wmState, wmState, [iconic, 0]);
    change(window, netState, types.atom, [hidden]);
    change(root, activate, types.window, [0]);
  }
  function configure(event: Buffer): void {
    const mask = event.readUInt16LE(26);
    const values = [event.readInt16LE(16), event.readInt16LE(18), event.readUInt16LE(20), event.readUInt16LE(22), event.readUInt16LE(24)];
    const wanted = values.filter((_, bit) => (mask & (1 << bit)) !== 0);
    request(12, 0, event.readUInt32LE(8), mask & 0x1f, ...wanted);
  }
  async function serve(): Promise<void> {
    for (;;) {
      const event = await read(32);
      const kind = (event[0] ?? 0) & 0x7f;
      if (kind === mapRequest) show(event.readUInt32LE(8));
      else if (kind === configureRequest) configure(event);
      else if (kind === clientMessage) {
        const [window, type, first] = [event.readUInt32LE(4), event.readUInt32LE(8), event.readUInt32LE(12)];
        if (type === wmChangeState) (first === iconic ? hide : show)(window);
        else if (type === activate) show(window);
      }
    }
  }
  serve().catch(() => undefined); // the screen was closed
  return { close: () => void socket.destroy() };
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  let rest = Buffer.alloc(0);
  return async (length) => {
    while (rest.length < length) {
      const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => Promise.reject(new Error('closed')))])) as [Buffer];
      rest = Buffer.concat([rest, chunk]);
    }
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return bytes;
  };
}
