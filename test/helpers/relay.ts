// Opens both ends of a relayed session: a host with a scripted window, and remote viewers that record what they receive.
import { randomBytes } from 'node:crypto';
import { openCloudCode, type CloudCode } from '../../builtins/desktop/remote-cloud/cloud-code.ts';
import type { RelayLink } from '../../plugins/lib/relay-calls.ts';
import { createRelayTransport } from '../../builtins/desktop/remote-cloud/guest/relay-transport.ts';
import type { Joined, Transport, TransportState } from '../../builtins/desktop/remote/guest/transport.ts';
import type { GuestLink, RemoteRole } from '../../builtins/desktop/remote/contract.ts';
import { frameHeaderBytes, readFrameHeader, writeFrameHeader } from '../../builtins/desktop/remote/guest-protocol.ts';
import type { PlaneRequest } from '../../builtins/account/hub/contract.ts';
import { secretIn } from '../../plugins/lib/sealed-link.ts';

/** Fetches from the nodes in turn, like a proxy, and skips a node that does not respond. */
export async function fetchInTurn(urls: readonly string[], turn: number, path: string, init?: RequestInit): Promise<Response> {
  for (let at = 0; ; at++) {
    try {
      return await fetch((urls[(turn + at) % urls.length] ?? '') + path, init);
    } catch (fault) {
      if (init?.signal?.aborted || at >= urls.length - 1) throw fault;
    }
  }
}

export interface Ask {
  (request: PlaneRequest): Promise<{ status: number; body: unknown; headers: Readonly<Record<string, string>> }>;
  readonly counts: Map<string, number>;
}

/** Sends requests like the service `controlPlane`. @param urls URLs of nodes, used in turn as by a proxy; a node that does not respond is skipped */
export function askAs(token: string, ...urls: readonly string[]): Ask {
  let turn = 0;
  const counts = new Map<string, number>();
  const ask = async ({ method, path, body, bytes, signal, timeoutMs = 15_000 }: PlaneRequest): ReturnType<Ask> => {
    const [plain = ''] = path.split('?', 1);
    counts.set(plain, (counts.get(plain) ?? 0) + 1);
    const type = bytes ? 'application/octet-stream' : 'application/json';
    const reply = await fetchInTurn(urls, turn++, path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(method === 'GET' ? {} : { body: bytes ? Buffer.from(bytes) : JSON.stringify(body ?? {}) }),
      signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(timeoutMs)]),
    });
    const text = await reply.text();
    const answer = text === '' ? undefined : (JSON.parse(text) as { error?: { message?: string } });
    if (reply.ok || reply.status === 409) return { status: reply.status, body: answer, headers: {} };
    const code = reply.status >= 500 ? 'HUB_ERR_PLANE_UNREACHABLE' : 'HUB_ERR_PLANE_REFUSED';
    throw Object.assign(new Error(answer?.error?.message ?? `it answered ${reply.status}`), { code, details: { status: reply.status } });
  };
  return Object.assign(ask, { counts });
}

export interface ScriptedGuest extends GuestLink {
  /** Received texts, without pings and frame acknowledgements. */
  readonly said: string[];
  readonly ended: AbortController;
  isGone: boolean;
}

export interface ScriptedHost {
  readonly cloud: CloudCode;
  readonly code: string;
  readonly role: RemoteRole;
  readonly secret: Uint8Array;
  readonly guests: ScriptedGuest[];
  readonly warnings: string[];
  /** Sends a frame that acknowledges the inputs. */
  show(text?: string): void;
  end(): Promise<void>;
}

export interface HostOptions {
  readonly role?: RemoteRole;
  readonly ask: Ask;
  readonly code?: string;
  readonly size?: number;
  readonly ttlMs?: number;
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const newCode = (): string => [...randomBytes(8)].map((byte) => alphabet[byte % 32]).join('');

/** The image of a frame is `text` followed by zeros. The caller ends the host. */
export async function startScriptedHost({ role = 'control', ask, code = newCode(), size = 4_000, ttlMs = 600_000 }: HostOptions): Promise<ScriptedHost> {
  const ending = new AbortController();
  const guests: ScriptedGuest[] = [];
  const warnings: string[] = [];
  let seq = 0;
  let shown = 'first';
  const acked = new Map<ScriptedGuest, number>();
  const inFlight = new Set<ScriptedGuest>();
  const stale = new Set<ScriptedGuest>();

  function sendTo(guest: ScriptedGuest): void {
    if (guest.isGone) return;
    if (inFlight.has(guest)) return void stale.add(guest);
    const picture = Buffer.concat([Buffer.alloc(frameHeaderBytes), Buffer.from(shown), Buffer.alloc(Math.max(0, size - shown.length))]);
    const header = { isStill: false, isLast: true, seq: ++seq, capturedAt: Date.now(), cssWidth: 1280, cssHeight: 800, imageWidth: 1280, imageHeight: 800 };
    writeFrameHeader(picture, { ...header, geometry: 1, ackedInput: acked.get(guest) ?? 0 });
    inFlight.add(guest);
    guest.send(picture);
  }

  const cloud = await openCloudCode(
    { code, role, expiresAt: new Date(Date.now() + ttlMs).toISOString(), signal: ending.signal },
    {
      controlPlane: { request: ask },
      origin: () => undefined,
      warn: (message) => warnings.push(message),
      makeError: (reason, details) => Object.assign(new Error(reason), { details }),
      remoteSessions: {
        attach(link) {
          const guest: ScriptedGuest = Object.assign(link, { said: [] as string[], ended: new AbortController(), isGone: false });
          guests.push(guest);
          const welcome = { v: 1, type: 'welcome', role, name: link.name, guestId: `g${guests.length}`, expiresAt: '', heartbeatMs: 2_000 };
          link.send(JSON.stringify(welcome));
          sendTo(guest);
          return {
            guestId: welcome.guestId,
            closed: guest.ended.signal,
            leave: () => void (guest.isGone = true),
            receive(text) {
              const message = JSON.parse(text) as { type?: string; n?: number; at?: number };
              if (message.type === 'ping') return link.send(JSON.stringify({ v: 1, type: 'pong', at: message.at, hostAt: Date.now() }));
              if (message.type === 'ack') {
                inFlight.delete(guest);
                if (stale.delete(guest)) sendTo(guest);
                return;
              }
              guest.said.push(text);
              if (message.n === undefined) return;
              acked.set(guest, message.n);
              sendTo(guest);
            },
          };
        },
      },
    },
  );
  const secret = secretIn(new URL(cloud.url).hash.slice('#k='.length));
  if (!secret) throw new Error('the address has no secret');
  return {
    ...{ cloud, code, role, secret, guests, warnings },
    show(text = shown) {
      shown = text;
      for (const guest of guests) sendTo(guest);
    },
    async end() {
      ending.abort();
      await cloud.over;
    },
  };
}

export interface ReadingGuest {
  readonly frames: { readonly seq: number; readonly geometry: number; readonly ackedInput: number; readonly text: string; readonly at: number }[];
  readonly texts: any[];
  readonly states: { readonly state: TransportState; readonly why: string | undefined }[];
  words(): string;
  /** Sends a click with the next number. Returns the number. */
  click(): number;
  /**
   * Clicks the middle of the newest frame, and repeats it like a user if the host reports that it was not executed, because the frame was old or the
   * page did not respond in time. Resolves when a frame shows the click. Rejects on any other refusal.
   */
  press(): Promise<void>;
  send(text: string): void;
  /** Reconnects, like a page after a silent connection. */
  connect(): void;
  /** Resolves when `isSo` holds, checked on every message. Rejects when no more messages can arrive. */
  until(isSo: (guest: ReadingGuest) => boolean): Promise<void>;
  close(): void;
}

/** Joins and connects immediately. The caller closes the viewer. */
export function openGuest({ name = 'Phone', ...link }: RelayLink & { readonly name?: string }): ReadingGuest {
  const relay = createRelayTransport(link);
  let joined: Joined | undefined;
  let transport: Transport | undefined;
  let isClosed = false;
  let n = 0;
  const looks = new Set<() => void>();
  const look = (): void => looks.forEach((one) => one());
  const guest: ReadingGuest = {
    ...{ frames: [], texts: [], states: [] },
    words: () => relay.words?.() ?? '',
    click() {
      guest.send(JSON.stringify({ v: 1, type: 'down', n: ++n, seq: 1, geometry: 1, x: 0.5, y: 0.5, button: 'left', clickCount: 1, modifiers: 0 }));
      return n;
    },
    send: (text) => transport?.send(text),
    async press() {
      for (let isDone = false; !isDone;) {
        const { geometry, seq } = guest.frames.at(-1)!;
        for (const type of ['down', 'up'])
          guest.send(JSON.stringify({ v: 1, type, n: ++n, seq, geometry, x: 0.5, y: 0.5, button: 'left', clickCount: 1, modifiers: 0 }));
        // A press that was not executed is not released, so the reply to the second input covers both.
        const refusal = (): { readonly reason: string } | undefined => guest.texts.find(({ type, input }) => type === 'refused' && input === n);
        const isShown = (): boolean => (guest.frames.at(-1)?.ackedInput ?? 0) >= n;
        await guest.until(() => isShown() || refusal() !== undefined);
        const { reason } = refusal() ?? {};
        if (reason !== undefined && reason !== 'stale' && reason !== 'protected') throw new Error(`a press was refused: ${reason}`);
        isDone = reason === undefined;
        if (reason === 'stale') await guest.until(({ frames }) => frames.at(-1)?.seq !== seq);
      }
    },
    until: (isSo) =>
      new Promise((resolve, reject) => {
        const one = (): void => {
          const last = guest.states.at(-1);
          if (isSo(guest)) resolve();
          else if (isClosed || last?.state === 'refused') {
            const why = isClosed ? 'was closed' : `is out: ${last?.why}`;
            reject(
              new Error(`that never came: the guest ${why}. It has ${guest.frames.length} pictures, and heard last ${JSON.stringify(guest.texts.slice(-3))}`),
            );
          } else return;
          looks.delete(one);
        };
        looks.add(one);
        one();
      }),
    connect() {
      transport = joined && relay.connect(joined);
      transport?.onBytes((frame) => {
        const header = readFrameHeader(frame);
        const text = Buffer.from(frame.subarray(frameHeaderBytes)).toString().replace(/\0+$/, '');
        if (header) guest.frames.push({ seq: header.seq, geometry: header.geometry, ackedInput: header.ackedInput, text, at: Date.now() });
        guest.send(JSON.stringify({ v: 1, type: 'ack', seq: header?.seq ?? 0 }));
        look();
      });
      transport?.onText((text) => {
        guest.texts.push(JSON.parse(text));
        look();
      });
      transport?.onState((state, why) => {
        guest.states.push({ state, why });
        look();
      });
    },
    close() {
      isClosed = true;
      transport?.close();
      relay.forget();
      look();
    },
  };
  relay.join(link.code, name).then(
    (admitted) => {
      joined = admitted;
      if (isClosed) relay.forget();
      else guest.connect();
    },
    (fault: Error) => {
      guest.states.push({ state: 'refused', why: fault.message });
      look();
    },
  );
  return guest;
}
