// Converts a prompt to a message: text, with images, recordings and embedded files as attachments.
import { Buffer } from 'node:buffer';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Attachment } from 'agent-harness/client';
import { isWithin, wayFrom } from '#lib/paths';

export interface PromptMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Maximum number of attachments per message; further embedded texts become part of the message text. */
const mostAttachments = 12;

/** @param root absolute path of the workspace; file names are relative to it */
export function promptMessage(blocks: readonly ContentBlock[], root: string): PromptMessage {
  const words: string[] = [];
  const attachments: Attachment[] = [];
  const attach = (name: string, mimeType: string, base64: string): void => {
    // A data URL may contain only a media type without parameters.
    const type = /^[\w.+-]+\/[\w.+-]+/.exec(mimeType)?.[0] ?? 'application/octet-stream';
    attachments.push({ name, dataUrl: `data:${type};base64,${base64}` });
  };
  for (const block of blocks) {
    if (block.type === 'text') words.push(block.text);
    if (block.type === 'image' || block.type === 'audio') {
      attach(`${block.type}-${attachments.length + 1}.${block.mimeType.split('/')[1]?.replace(/\W.*/, '') ?? 'bin'}`, block.mimeType, block.data);
    }
    if (block.type === 'resource_link') words.push(referenceTo(block.uri, root, block.name));
    if (block.type !== 'resource') continue;
    const { resource } = block;
    const { name, shown } = placeOf(resource.uri, root);
    if ('blob' in resource && typeof resource.blob === 'string') attach(name, resource.mimeType ?? 'application/octet-stream', resource.blob);
    else if ('text' in resource && attachments.length >= mostAttachments) words.push(`\n${shown}:\n${resource.text}\n`);
    else if ('text' in resource) attach(name, resource.mimeType ?? 'text/plain', Buffer.from(resource.text, 'utf8').toString('base64'));
    words.push(shown);
  }
  return { text: join(words), attachments };
}

/** Joins the parts of a prompt. Whitespace in typed text is preserved; other parts are separated. */
function join(words: readonly string[]): string {
  return words.reduce((text, word) => (text === '' || /\s$/.test(text) || /^\s/.test(word) ? text + word : `${text} ${word}`), '').trim();
}

function referenceTo(uri: string, root: string, name: string): string {
  const { path, shown } = placeOf(uri, root);
  return path === undefined ? `[${name}](${uri})` : shown;
}

interface Place {
  readonly path?: string;
  readonly name: string;
  /** File name for display, such as `@src/a.ts#L10`; relative to the workspace for files inside it. */
  readonly shown: string;
}

function placeOf(uri: string, root: string): Place {
  if (!uri.startsWith('file:') || !URL.canParse(uri)) return { name: basename(uri.replace(/[?#].*$/, '')) || 'resource', shown: uri };
  const url = new URL(uri);
  const lines = url.hash;
  try {
    const path = fileURLToPath(url);
    return { path, name: basename(path), shown: `@${isWithin(root, path) ? wayFrom(root, path) : path}${lines}` };
  } catch {
    return { name: 'resource', shown: uri }; // the file is on another machine
  }
}
