// Tests that a frame sent again under another number is shown once.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { joinCloud } from '../../../builtins/desktop/remote-cloud/guest/cloud-guest.ts';
import { writePacket } from '../../../builtins/desktop/remote-cloud/packet.ts';
import { createHostEnd } from '../../../builtins/desktop/remote-cloud/sealing.ts';
import { frameHeaderBytes, readFrameHeader, writeFrameHeader } from '../../../builtins/desktop/remote/guest-protocol.ts';

function frameOf(seq: number): Uint8Array {
  const frame = new Uint8Array(frameHeaderBytes + 10);
  const size = { cssWidth: 800, cssHeight: 600, imageWidth: 800, imageHeight: 600 };
  writeFrameHeader(frame, { ...size, isStill: false, isLast: true, seq, capturedAt: 1, geometry: 1, ackedInput: 0 });
  return frame;
}

test('shows a repeated frame once and delivers its messages', async () => {
  const secret = new Uint8Array(randomBytes(32));
  const said = [
    { seq: 1, texts: [] },
    { seq: 2, texts: [] },
    { seq: 2, texts: ['{"type":"focus"}'] },
    { seq: 3, texts: [] },
    { seq: 1, texts: [] },
    { seq: 4, texts: [] },
  ];
  let sent: Uint8Array[] = [];
  /** Returns each packet when the one after its predecessor is requested, then none. */
  async function relay(path: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path as string);
    if (url.pathname.endsWith('/join')) {
      const { guest } = JSON.parse(init.body as string) as { guest: string };
      const { frames } = createHostEnd(secret, { session: 'relay_1', role: 'view', guest });
      sent = said.map(({ seq, texts }) => frames.seal(writePacket({ taken: 0, firstText: 1, texts, frame: frameOf(seq) })));
      return Response.json({ token: 'token', session: 'relay_1', role: 'view', expiresAt: '' });
    }
    if (!url.pathname.endsWith('/poll')) return Response.json({ kept: 0 });
    const packet = sent[Number(url.searchParams.get('after'))];
    if (packet) return new Response(Buffer.from(packet), { headers: { 'x-relay-host': 'here' } });
    return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  }
  const guest = await joinCloud({ origin: 'http://relay.example', code: 'CODE2345', secret, name: 'Phone', fetch: relay });
  const transport = guest.connect();
  const shown: (number | undefined)[] = [];
  const received: string[] = [];
  transport.onText((text) => received.push(text));
  transport.onBytes((frame) => shown.push(readFrameHeader(frame)?.seq));
  await expect.poll(() => shown.at(-1)).toBe(4);
  expect([shown, received]).toEqual([[1, 2, 3, 4], ['{"type":"focus"}']]);
  guest.leave();
});
