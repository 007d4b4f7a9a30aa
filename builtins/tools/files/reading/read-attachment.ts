// Implements `read_file` for `attachment:<id>`: returns the text of an attachment by lines, and copies attachments into the workspace.
import { failure } from '#lib/errors';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { decodeText, textFormOf } from '../documents/text-form.ts';
import type { FilePorts } from '../ports.ts';

type Attached = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<FilePorts['attachments']>>['find']>>>;

/** Returns the id of the attachment that a path names; `undefined` if it names a file. */
export function attachmentIdOf(path: string): string | undefined {
  return /^attachment:(att_[0-9A-HJKMNP-TV-Z]{26})$/.exec(path.trim())?.[1];
}

export async function findAttachment(id: string, { chatId }: Pick<ToolContext, 'chatId'>, ports: FilePorts): Promise<Attached> {
  const found = await ports.attachments()?.find(chatId, id);
  if (!found) throw failure(`This chat has no attachment ${id}.`, 'Use the exact id from the message.');
  return found;
}

/** @param show returns the requested lines of a text */
export async function readAttachment(
  id: string,
  context: ToolContext,
  ports: FilePorts,
  show: (text: Buffer, shown: string) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { name, mimeType, bytes, content, artifactId } = await findAttachment(id, context, ports);
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) {
    return { ok: true, output: `Image ${name} (${mimeType}, ${bytes} bytes).`, images: [{ mimeType, base64: content.toString('base64') }], isUntrusted: true };
  }
  const text = (await textOf(artifactId, context.chatId, ports)) ?? plainText(content);
  if (!text) throw failure(`${name} is ${mimeType} of ${bytes} bytes and cannot be read as text.`, `Use copy_attachment to save it.`);
  const outcome = await show(text, name);
  return { ...outcome, isUntrusted: true };
}

async function textOf(artifactId: string | undefined, chatId: string, ports: FilePorts): Promise<Buffer | undefined> {
  const bytes = artifactId === undefined ? undefined : await ports.artifacts()?.read(chatId, artifactId);
  return bytes && Buffer.from(bytes);
}

/** Returns the text of an attachment from which no text was extracted on arrival; `undefined` if it is not text. */
function plainText(content: Buffer): Buffer | undefined {
  const form = textFormOf(content, false);
  return form && Buffer.from(decodeText(content, form), 'utf8');
}
