// Attaches images: files whose path was pasted or dropped, and the content of the clipboard.
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attachment } from 'agent-harness/client';
import { oneLine } from '#lib/text';

export interface Pictures {
  /** Returns a placeholder that stands for the image until the message is sent; `undefined` if the pasted text is not an image path. */
  ofPaste(text: string): string | undefined;
  /** Returns a placeholder for the image in the clipboard. Rejects with an error that names the missing program. */
  ofClipboard(): Promise<string>;
  /** Returns the text of an earlier message with placeholders for its files, which are read when the message is sent. */
  ofMessage(text: string, files: readonly EarlierFile[]): string;
  /** Reads the files whose placeholders are in the text. Rejects if a file is missing. */
  read(text: string): Promise<Attachment[]>;
}

export interface EarlierFile {
  readonly name: string;
  /** Rejects if the file is no longer stored. */
  read(): Promise<Blob>;
}

const types: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };
/** Maximum size of an image in bytes; the server also enforces it. */
const largest = 4 * 1024 * 1024;
/** Commands that are tried in order until one is installed and returns an image. */
const clipboards: readonly (readonly [program: string, ...args: string[]])[] = [
  ['wl-paste', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'],
  ['pngpaste', '-'],
];
const clipboardMs = 3_000;

export function createPictures(): Pictures {
  const known = new Map<string, () => Promise<Attachment>>();

  function mark(name: string, read: () => Promise<Attachment>, kind = 'picture'): string {
    const sign = `[${kind} ${known.size + 1}: ${oneLine(name, 60)}]`;
    known.set(sign, read);
    return sign;
  }

  return {
    ofPaste(text) {
      const path = pathOf(text);
      const type = path === undefined ? undefined : types[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
      if (path === undefined || type === undefined || !isPicture(path)) return undefined;
      return mark(basename(path), async () => attachment(basename(path), type, await readFile(path)));
    },
    async ofClipboard() {
      for (const [program, ...args] of clipboards) {
        const content = await outputOf(program, args);
        if (content.length > 0) return mark('clipboard.png', () => Promise.resolve(attachment('clipboard.png', 'image/png', content)));
      }
      throw new Error('The clipboard has no picture, or wl-paste, xclip or pngpaste is missing. You can paste the path of a file instead.');
    },
    ofMessage(text, files) {
      const fresh = new Set<string>();
      let marked = text;
      for (const { name, read } of files) {
        const sign = mark(name, async () => ofBlob(name, await read()), 'file');
        fresh.add(sign);
        let isPlaced = false;
        // Replaces the placeholder in the sent message.
        marked = marked.replace(/\[(?:picture|file) \d+: (.+?)\]/g, (old, shown) => {
          if (isPlaced || fresh.has(old) || shown !== oneLine(name, 60)) return old;
          isPlaced = true;
          return sign;
        });
        if (!isPlaced) marked = `${sign} ${marked}`;
      }
      return marked;
    },
    read: (text) => Promise.all([...known].filter(([sign]) => text.includes(sign)).map(([, read]) => read())),
  };
}

/** Returns the path in a pasted text. Terminals paste the path of a dropped file verbatim, quoted, with escaped spaces, or as a URL. */
function pathOf(text: string): string | undefined {
  const line = text.trim();
  if (line === '' || line.includes('\n') || line.length > 4_096) return undefined;
  const quoted = /^(['"])(.*)\1$/.exec(line)?.[2];
  if (quoted !== undefined) return quoted;
  if (!line.startsWith('file://')) return line.replace(/\\(.)/g, '$1');
  try {
    return fileURLToPath(line);
  } catch {
    return undefined; // the file is on another machine
  }
}

function isPicture(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0 && stats.size <= largest;
}

async function ofBlob(name: string, content: Blob): Promise<Attachment> {
  return attachment(name, content.type, Buffer.from(await content.arrayBuffer()));
}

function attachment(name: string, type: string, content: Buffer): Attachment {
  return { name, dataUrl: `data:${type};base64,${content.toString('base64')}` };
}

/** Returns the output of a program; empty if the program is missing or prints nothing. */
function outputOf(program: string, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve) => {
    execFile(program, [...args], { encoding: 'buffer', timeout: clipboardMs, maxBuffer: largest }, (fault, stdout) =>
      resolve(fault ? Buffer.alloc(0) : stdout),
    );
  });
}
