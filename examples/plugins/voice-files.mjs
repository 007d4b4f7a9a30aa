// Two tools that use the configured audio provider: one transcribes an audio file, one writes speech to a file.
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export const manifest = {
  name: 'voice-files',
  requires: ['models'],
  config: {
    type: 'object',
    properties: {
      transcriber: { type: 'string', default: 'gpt-transcribe', env: 'EXAMPLE_TRANSCRIBER', description: 'The model that writes down.' },
      speaker: { type: 'string', default: 'gpt-speak', env: 'EXAMPLE_SPEAKER', description: 'The model that speaks.' },
      voice: { type: 'string', default: 'alloy', env: 'EXAMPLE_VOICE', description: 'Its voice.' },
    },
  },
};

const types = { '.wav': 'audio/wav', '.mp3': 'audio/mpeg', '.flac': 'audio/flac', '.ogg': 'audio/ogg', '.webm': 'audio/webm', '.m4a': 'audio/mp4' };
/** A file name without a path, so that every file stays in the workspace folder. */
const file = { type: 'string', pattern: '^\\w[\\w.-]{0,99}$' };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { services, config } = registry;
  const about = ({ chatId, turnId }) => ({ plugin: 'voice-files', chatId, turnId });

  registry.add('tool', {
    name: 'transcribe_file',
    description: 'Writes down what is said in an audio file of the workspace.',
    input: { type: 'object', properties: { file }, required: ['file'], additionalProperties: false },
    effects: ['read', 'network'],
    isEveryday: true,
    async run({ file: name }, context) {
      const bytes = await readFile(join(context.workspaceRoot, name));
      const mimeType = types[extname(name)] ?? 'application/octet-stream';
      const form = [
        { name: 'file', value: { bytes, fileName: name, mimeType } },
        { name: 'model', value: config.transcriber },
        { name: 'response_format', value: 'json' },
      ];
      const request = { path: '/audio/transcriptions', body: { form }, model: config.transcriber, purpose: 'transcribe', ...about(context) };
      const reply = await services.models.request(request, context.signal);
      return String(JSON.parse(reply.bytes.toString('utf8')).text);
    },
  });

  registry.add('tool', {
    name: 'speak_text',
    description: 'Has a text spoken into an audio file of the workspace.',
    input: { type: 'object', properties: { file, text: { type: 'string', maxLength: 4096 } }, required: ['file', 'text'], additionalProperties: false },
    effects: ['write', 'network'],
    isEveryday: true,
    async run({ file: name, text }, context) {
      const json = { model: config.speaker, input: text, voice: config.voice, response_format: 'wav' };
      const request = { path: '/audio/speech', body: { json }, model: config.speaker, purpose: 'speak', ...about(context) };
      const { bytes, mediaType } = await services.models.request(request, context.signal);
      await writeFile(join(context.workspaceRoot, name), bytes, { flag: 'wx' });
      return `${name}: ${bytes.length} bytes of ${mediaType}.`;
    },
  });
}
