// Tests the speech example: its tools upload a file as a form and save audio bytes, through the configured provider.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openModels } from '../plugins/models/open-models.ts';

interface ToolItem {
  readonly name: string;
  run(args: object, context: object): Promise<string>;
}

test('speech transcribes an audio file and saves synthesized audio', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'speech-'));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      if (request.url === '/v1/audio/speech')
        return void response.writeHead(200, { 'content-type': 'audio/wav' }).end(`RIFF ${(JSON.parse(text) as { input: string }).input}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: /RIFF ([\w ]+)/.exec(text)?.[1], usage: { cost: 0.01 } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const opened = await openModels([], { environment: { AGENT_API_BASE_URL: url } });
  try {
    const tools = new Map<string, ToolItem>();
    const example = (await import(/* @vite-ignore */ join(import.meta.dirname, '../../../examples/plugins/voice-files.mjs'))) as {
      register(registry: object): void;
    };
    const config = { transcriber: 'gpt-transcribe', speaker: 'speaker', voice: 'alloy' };
    example.register({ services: { models: opened.models }, config, add: (_point: string, tool: ToolItem) => tools.set(tool.name, tool) });
    const context = { chatId: 'chat_1', turnId: 'turn_1', workspaceRoot: folder, signal: new AbortController().signal };
    expect(await tools.get('speak_text')?.run({ file: 'hi.wav', text: 'good morning' }, context)).toBe('hi.wav: 17 bytes of audio/wav.');
    expect(await readFile(join(folder, 'hi.wav'), 'utf8')).toBe('RIFF good morning');
    expect(await tools.get('transcribe_file')?.run({ file: 'hi.wav' }, context)).toBe('good morning');
    const speak = { purpose: 'speak', model: 'speaker', plugin: 'voice-files', chatId: 'chat_1' };
    expect(await opened.models.usage()).toMatchObject([speak, { purpose: 'transcribe', model: 'gpt-transcribe', cost: 0.01 }]);
  } finally {
    await opened.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  }
});
