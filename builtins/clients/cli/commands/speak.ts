// Implements `speak TEXT`: synthesizes a text into sound files, one per spoken part.
import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { makeSafe } from '#lib/terminal';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import { chooseChat } from '../which-chat.ts';

interface SpokenReply {
  readonly clips: readonly { readonly url: string; readonly text: string; readonly durationSec: number | null }[];
  readonly cost: number | null;
  readonly taken: number;
}

const endings: Readonly<Record<string, string>> = {
  'audio/wav': '.wav',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/aac': '.aac',
  'audio/flac': '.flac',
};

export const speak: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [text, ...more] = positionals;
  if (text === undefined || text.trim() === '' || more.length > 0) return refuseUse(output, "'speak' takes one text, in quotes.");
  const { startFolder } = parts.services.product;
  const voice = options['voice'];
  return withServer(parts, signal, async (client) => {
    const { chatId } = await chooseChat(client, options, startFolder);
    const files: string[] = [];
    let cost: number | null = 0;
    for (let rest = text; rest.trim() !== '';) {
      const reply: SpokenReply = await client.call<SpokenReply>('POST', '/api/tts', { text: rest, chatId, ...(typeof voice === 'string' ? { voice } : {}) });
      for (const { url } of reply.clips) {
        const { content, type } = await client.bytes(url);
        const path = pathOf(options['out'], files.length, endings[type] ?? '');
        await writeFile(resolve(startFolder, path), content);
        files.push(path);
      }
      cost = cost === null || reply.cost === null ? null : cost + reply.cost;
      rest = reply.taken > 0 ? rest.slice(reply.taken) : '';
    }
    output.out(options['json'] === true ? `${JSON.stringify({ files, cost }, undefined, 2)}\n` : files.map((file) => `${makeSafe(file)}\n`).join(''));
    return exitCodes.done;
  });
};

/** Returns the path of the file for a part: `done.wav`, `done-2.wav`, and so on. */
function pathOf(out: unknown, index: number, ending: string): string {
  const path = typeof out === 'string' ? out : `speech${ending}`;
  if (index === 0) return path;
  const own = extname(path);
  return `${path.slice(0, path.length - own.length)}-${index + 1}${own}`;
}
