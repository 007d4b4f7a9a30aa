// Tests the token estimate of images and audio, and their removal before any text.
import { expect, test } from 'vitest';
import type { AudioPart, ModelMessage } from 'agent-harness/plugins/models';
import { fitMessages } from '../../../../builtins/turn/compression/fit.ts';
import { charsOf, charsPerToken } from '../../../../builtins/turn/compression/measure.ts';
import { withoutMedia } from '../../../../builtins/turn/compression/shorten.ts';

const sound = (more: Partial<AudioPart>): AudioPart => ({ mimeType: 'audio/wav', format: 'wav', base64: '', ...more });
const image = { mimeType: 'image/png', base64: 'QUJD' };
const audioChars = (audio: readonly AudioPart[]): number => charsOf({ role: 'user', text: '', audio }) - charsOf({ role: 'user', text: '' });

test('counts 32 tokens per second of audio, and estimates an unknown duration from the bytes', () => {
  expect(audioChars([sound({ seconds: 10, base64: 'A'.repeat(400_000) })])).toBe(10 * 32 * charsPerToken);
  expect(audioChars([sound({ base64: 'A'.repeat((80_000 * 4) / 3) }), sound({ seconds: 1 })])).toBe(11 * 32 * charsPerToken);
});

test('replaces removed media with one note per kind and keeps a text message unchanged', () => {
  const plain: ModelMessage = { role: 'user', text: 'plain' };
  expect(withoutMedia(plain)).toBe(plain);
  expect(withoutMedia({ role: 'user', text: 'see', images: [image], audio: [sound({})], isUntrusted: true })).toEqual({
    role: 'user',
    text: 'see\n[The images are no longer shown.]\n[The audio is no longer attached.]',
    isUntrusted: true,
  });
});

test('removes the oldest audio first, and only as much as necessary', async () => {
  const says = (text: string): ModelMessage => ({ role: 'user', text, audio: [sound({ seconds: 100 })] });
  const messages = [says('old'), { role: 'assistant', text: 'yes', toolCalls: [] } as const, says('new')];
  const fit = (room: number): Promise<ModelMessage[]> =>
    fitMessages({ messages, room, save: () => Promise.resolve(undefined), saveAll: () => Promise.resolve(undefined) });
  expect(await fit(30_000)).toEqual(messages);
  expect(await fit(20_000)).toEqual([{ role: 'user', text: 'old\n[The audio is no longer attached.]' }, messages[1], messages[2]]);
});
