// Tests audio attachments: sent to models known to accept audio, described in a line to all others.
import { expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedModel, type ScriptedRequest, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { soundPart, soundTypeOf } from '../../../../plugins/agent/sounds.ts';

/** A WAV file with 16,000 bytes per second. */
function makeWav(seconds: number): Buffer {
  const data = Buffer.alloc(seconds * 16_000, 7);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(data.length + 36, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  [16, 1 + (1 << 16), 8_000, 16_000, 2 + (16 << 16)].forEach((value, at) => head.writeUInt32LE(value, 16 + at * 4));
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const attach = (name: string, bytes: Buffer, type = 'application/octet-stream') => ({ name, dataUrl: `data:${type};base64,${bytes.toString('base64')}` });
const said = ({ body }: ScriptedRequest): any[] => body.messages.filter(({ role }: any) => role !== 'system');
const rows = [
  { id: 'scripted', architecture: { input_modalities: ['text', 'audio'] } },
  { id: 'deaf', architecture: { input_modalities: ['text'] } },
];

async function withModel(use: (open: (place?: object) => Promise<Harness>, model: ScriptedModel) => Promise<void>): Promise<void> {
  const model = await startScriptedModel(() => ({ text: 'ok' }));
  const opened: Harness[] = [];
  const open = async (place: object = {}): Promise<Harness> => {
    const harness = await startHarness({ builtins: ['model-chat-completions', 'model-messages'], environment: model.environment, ...place });
    opened.push(harness);
    return harness;
  };
  model.listModels(() => ({ body: { data: rows } }));
  try {
    await use(open, model);
  } finally {
    for (const harness of opened.reverse()) await harness.close();
    await model.close();
  }
}

test('audio is sent only to models whose endpoint lists audio input, and a restart preserves the conversation', async () => {
  await withModel(async (open, model) => {
    const harness = await open();
    const wav = makeWav(2);
    const last = (): any[] => said(model.requests.at(-1) as ScriptedRequest);
    const { events } = await runTurn(harness, 'Listen.', { attachments: [attach('note.txt', wav, 'text/plain')] });
    const { chatId, attachments } = events.find((event) => event.kind === 'message_accepted') as any;
    expect(attachments[0]).toMatchObject({ name: 'note.txt', mimeType: 'audio/wav', bytes: wav.length });
    const line = `Listen.\n[attached: note.txt, audio/wav, ${wav.length} bytes, attachment:${attachments[0].attachmentId}; its audio is attached if your model accepts audio; otherwise you cannot hear it]`; // prettier-ignore
    expect(last()).toEqual([{ role: 'user', content: line }]);
    expect(model.listed).toBe(0);

    await harness.call('GET', '/api/models');
    await runTurn(harness, 'And now?');
    const heard = { role: 'user', content: [{ type: 'text', text: line }, { type: 'input_audio', input_audio: { data: wav.toString('base64'), format: 'wav' } }] }; // prettier-ignore
    expect(last()[0]).toEqual(heard);

    await harness.call('PATCH', `/api/chats/${chatId}`, { model: 'deaf' });
    await runTurn(harness, 'You?');
    expect(model.requests.at(-1)?.body.model).toBe('deaf');
    expect(last()[0]).toEqual({ role: 'user', content: line });

    await harness.call('PATCH', `/api/chats/${chatId}`, { model: 'scripted' });
    await runTurn(harness, 'Again.');
    const live = last();
    expect(live[0]).toEqual(heard);
    expect(await harness.close({ keepFiles: true })).toEqual([]);

    const next = await open({ home: harness.home, workspace: harness.workspace });
    await runTurn(next, 'Still there?');
    expect(last()).toEqual([...live, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'Still there?' }]);
    expect(model.listed).toBe(1);
    expect(await next.close({ keepFiles: true })).toEqual([]);
  });
});

test('messages retained by a plugin bring no audio to a model that does not accept it', async () => {
  await withModel(async (open, model) => {
    let kept: any[] | undefined;
    const seen: boolean[] = [];
    const keeper = {
      manifest: { name: 'keeper' },
      register: (_: unknown, emitter: any) =>
        emitter.tap('prompt.build', (prompt: any) => {
          seen.push(prompt.messages.some(({ audio }: any) => audio));
          kept ??= prompt.messages;
          return { ...prompt, messages: [...(kept ?? []), ...prompt.messages.slice(kept?.length)] };
        }),
    } as never;
    const harness = await open({ modules: { keeper } });
    await harness.call('GET', '/api/models');
    const { events } = await runTurn(harness, 'Listen.', { attachments: [attach('a.wav', makeWav(1))] });
    await harness.call('PATCH', `/api/chats/${events[0]?.['chatId']}`, { model: 'deaf' });
    await runTurn(harness, 'You?');
    expect(model.requests.map(({ body }) => JSON.stringify(body).includes('input_audio'))).toEqual([true, false]);
    expect(seen).toEqual([true, false]);
  });
});

test('the message line describes audio that the wire does not support or that is too large', async () => {
  await withModel(async (open, model) => {
    const harness = await open({ environment: { ...model.environment, AGENT_MODEL_WIRE: 'messages' } });
    await harness.call('GET', '/api/models');
    await runTurn(harness, 'Listen.', { attachments: [attach('a.wav', makeWav(1))] });
    const text = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(text).toContain('a.wav, audio/wav, 16044 bytes');
    expect(text).not.toContain('input_audio');
    await runTurn(harness, 'Listen.', { attachments: [attach('long.wav', makeWav(270))] });
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('its audio is not sent; it exceeds 4194304 bytes');
  });
});

test('audio is detected by its bytes, and the WAV header provides the duration', () => {
  expect(soundPart(makeWav(3))).toMatchObject({ mimeType: 'audio/wav', format: 'wav', seconds: 3 });
  expect(soundPart(makeWav(3).fill(0, 28, 32))).not.toHaveProperty('seconds');
  expect(soundPart(Buffer.from('RIFF....WAVE'))).toEqual({ mimeType: 'audio/wav', format: 'wav', base64: 'UklGRi4uLi5XQVZF' });
  const starts = ['49443304', 'fffb9064', 'fffe4100', '4944332062', '', '4f676753'].map((hex) => soundTypeOf(Buffer.from(hex, 'hex')));
  expect(starts).toEqual(['audio/mpeg', 'audio/mpeg', undefined, undefined, undefined, undefined]);
});
