// Implements `transcribe_audio`: first stores the audio with the chat, whatever its source, so that a retry needs no second download.
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import type { WebFiles } from 'agent-harness/builtins/tools/web';
import { failure, messageOf } from '#lib/errors';
import type { Attachments } from 'agent-harness/plugins/agent';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type { Clip, Clips, KeptTranscript } from './clips.ts';
import type { TranscriptionSettings } from './config.ts';
import type { MakeError } from './errors.ts';
import type { ToolArgs } from './tool.ts';
import type { Transcriber } from './transcriber.ts';

export interface TranscribeAudioParts {
  /** Values of the settings; read on every use, because they may change. */
  readonly settings: TranscriptionSettings;
  readonly clips: Clips;
  transcriber(): Promise<Transcriber>;
  files(): WorkspaceFiles | undefined;
  web(): WebFiles | undefined;
  attachments(): Attachments | undefined;
  readonly makeError: MakeError;
}

const accept = 'audio/*,video/mp4,video/webm,application/ogg;q=0.9,application/octet-stream;q=0.5,*/*;q=0.1';

export function createTranscribeAudio(parts: TranscribeAudioParts): (args: ToolArgs, context: ToolContext) => Promise<ToolOutcome> {
  const { settings, clips, makeError } = parts;

  async function clipOf({ attachmentId, path, url }: ToolArgs, context: ToolContext): Promise<Clip> {
    if ([attachmentId, path, url].filter((one) => one !== undefined).length !== 1)
      throw failure('Pass exactly one of attachmentId, path and url.', 'Use attachmentId for a recording of this chat, path for a workspace file.');
    if (attachmentId !== undefined) return attached(attachmentId.replace(/^attachment:/, ''), context);
    const bytes = path === undefined ? await fetched(url ?? '', context) : await read(path, context);
    return clips.keepOnce(context.chatId, bytes);
  }

  async function attached(attachmentId: string, { chatId }: ToolContext): Promise<Clip> {
    const file = await parts.attachments()?.find(chatId, attachmentId);
    return file ? clips.keepOnce(chatId, withinLimit(file.content)) : clips.find(chatId, attachmentId);
  }

  async function read(path: string, context: ToolContext): Promise<Buffer> {
    const files = parts.files();
    if (!files) throw failure('Files cannot be read: the plugin that reads files is off.');
    return withinLimit(await files.read(context, path, settings.maxBytes));
  }

  async function fetched(url: string, { signal, progress }: ToolContext): Promise<Buffer> {
    const web = parts.web();
    if (!web) throw failure('URLs cannot be fetched: the plugin that reads the web is off.');
    return withinLimit((await web.fetch(url, { maxBytes: settings.maxBytes, accept, signal, progress }))?.bytes);
  }

  function withinLimit(bytes: Buffer | undefined): Buffer {
    if (!bytes || bytes.length > settings.maxBytes) throw makeError('TOO_LARGE', { limit: settings.maxBytes });
    return bytes;
  }

  return async (args, context) => {
    const clip = await clipOf(args, context);
    const { language, prompt, timestamps = 'none' } = args;
    const { chatId, turnId, signal } = context;
    const wish = { chatId, turnId, timestamps, ...(language === undefined ? {} : { language }), ...(prompt === undefined ? {} : { prompt }) };
    try {
      return shown(clip, await (await parts.transcriber()).transcribe(clip, wish, signal));
    } catch (fault) {
      signal.throwIfAborted();
      return { ok: false, error: messageOf(fault), hint: `The recording is saved: retry with attachmentId ${clip.attachmentId}.`, isUntrusted: true };
    }
  };
}

/** Marks the text as untrusted, because the speaker is unknown. */
function shown({ attachmentId }: Clip, { text, durationSec, language, cost, segments }: KeptTranscript): ToolOutcome {
  const head = [
    `Recording: ${attachmentId}`,
    ...(durationSec === null ? [] : [`Length: ${durationSec.toFixed(1)} s`]),
    ...(language === '' ? [] : [`Language: ${language}`]),
    ...(cost === null ? [] : [`Cost: ${cost} USD`]),
  ];
  const lines = segments?.map(({ start, end, text: said }) => `[${start.toFixed(2)}–${end.toFixed(2)}] ${said}`);
  const body = lines?.join('\n') ?? text;
  return { ok: true, output: `${head.join('\n')}\n\n${body === '' ? '(No speech.)' : body}`, isUntrusted: true };
}
