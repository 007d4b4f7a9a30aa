// Implements `transcribe FILE`: converts a recording to text.
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { faultReason } from '#lib/errors';
import { makeSafe } from '#lib/terminal';
import { textStart } from '#lib/text';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import { chooseChat } from '../which-chat.ts';

interface TranscriptReply {
  readonly text: string;
}

/** Maximum size of a recording in bytes, as enforced by the server. */
const mostBytes = 100 * 1024 * 1024;

export const transcribe: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return refuseUse(output, "'transcribe' takes one file.");
  const timestamps = options['timestamps'] ?? 'none';
  if (!['none', 'segment', 'word'].includes(String(timestamps))) return refuseUse(output, '--timestamps must be none, segment or word.');
  const { startFolder } = parts.services.product;
  const path = resolve(startFolder, file);
  const bytes = await readSmall(path).catch(faultReason);
  if (typeof bytes === 'string') {
    output.err(`${makeSafe(file)} cannot be read: ${makeSafe(bytes)}.\n`);
    return exitCodes.failed;
  }
  return withServer(parts, signal, async (client) => {
    const chat = `?chatId=${encodeURIComponent((await chooseChat(client, options, startFolder)).chatId)}`;
    const dataUrl = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
    const { attachmentId } = await client.call<{ attachmentId: string }>('POST', `/api/audio/upload${chat}`, { dataUrl, name: textStart(basename(path), 200) });
    const wish = { attachmentId, timestamps, ...given(options, 'language'), ...given(options, 'prompt') };
    const reply = await client.call<TranscriptReply>('POST', `/api/transcribe${chat}`, wish);
    output.out(options['json'] === true ? `${JSON.stringify({ attachmentId, ...reply }, undefined, 2)}\n` : `${makeSafe(reply.text)}\n`);
    return exitCodes.done;
  });
};

async function readSmall(path: string): Promise<Buffer | string> {
  const { size } = await stat(path);
  return size > mostBytes ? `it is larger than ${mostBytes} bytes` : readFile(path);
}

function given(options: Readonly<Record<string, unknown>>, name: string): object {
  return typeof options[name] === 'string' ? { [name]: options[name] } : {};
}
