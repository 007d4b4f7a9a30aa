// Parses the JSON of an upload as a stream: decodes the base64 text of a recording piece by piece, so that it is never in memory as a whole.
import { jsonOf } from '#lib/values';
import type { MakeError } from './errors.ts';

export interface Upload {
  readonly bytes: Buffer;
  readonly name: string | undefined;
}

interface UploadLimits {
  /** Maximum size of the recording, in bytes. */
  readonly maxBytes: number;
  /** Content length, if the request states it. */
  readonly contentLength: number | undefined;
}

/** Maximum size of everything except the recording, in bytes. */
const maxTextBytes = 8_192;
const maxHead = 512;
const quote = 0x22;
const backslash = 0x5c;
const head = /^data:[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[^;]{1,100})*\s*;\s*base64,$/i;

/** Reads an upload. Rejects with the error of `makeError`, and if the request is interrupted. */
export async function readUpload(body: AsyncIterable<Buffer>, limits: UploadLimits, makeError: MakeError): Promise<Upload> {
  const reader = createUploadReader(limits, makeError);
  for await (const chunk of body) reader.feed(chunk);
  return reader.end();
}

function createUploadReader({ maxBytes, contentLength }: UploadLimits, makeError: MakeError): { feed(chunk: Buffer): void; end(): Upload } {
  const invalid = (why: string): Error => makeError('INVALID_REQUEST', { why });
  const sound = createDecoder(maxBytes, contentLength, makeError);
  const fields = new Map<string, string>();
  let state: 'begin' | 'name' | 'colon' | 'value' | 'behind' | 'end' | 'in-name' | 'in-value' | 'in-sound' = 'begin';
  let isFirst = true;
  let hasSound = false;
  let name = '';
  /** Text of the current field that has not been decoded yet. */
  let text = '';
  /** Incomplete escape sequence. */
  let escape = '';

  function take(letters: string): void {
    if (state === 'in-sound') return sound.take(letters);
    text += letters;
    if (state === 'in-value' && name === 'dataUrl') takeHead();
    else if (text.length > maxTextBytes) throw invalid('a text field is too long.');
  }

  /** Skips the data URL prefix before the audio. */
  function takeHead(): void {
    const start = text.slice(0, maxHead);
    const end = /;\s*base64,/i.exec(start);
    if (end === null && start.length < maxHead) return;
    const whole = end === null ? maxHead : end.index + end[0].length;
    if (!head.test(start.slice(0, whole))) throw invalid("'dataUrl' must be a base64 data URL.");
    state = 'in-sound';
    sound.take(text.slice(whole));
    text = '';
  }

  /** Reads text up to its end or an escape sequence. Returns where the text continues. */
  function readText(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length) {
      if (escape !== '') {
        escape += String.fromCharCode(chunk[at++] ?? 0);
        if (escape[1] === 'u' && escape.length < 6) continue;
        take(unescape(escape));
        escape = '';
        continue;
      }
      const end = nextOf(chunk, at);
      if (end > at) take(chunk.toString('latin1', at, end));
      if (end === chunk.length) return end;
      if (chunk[end] === quote) return (endText(), end + 1);
      escape = '\\';
      at = end + 1;
    }
    return at;
  }

  function unescape(letters: string): string {
    const read = jsonOf(`"${letters}"`);
    if (typeof read !== 'string') throw invalid('it is not valid JSON.');
    return read;
  }

  function endText(): void {
    if (state === 'in-name') {
      name = text;
      state = 'colon';
    } else {
      if (state === 'in-sound') hasSound = true;
      else if (name === 'dataUrl') throw invalid("'dataUrl' must be a base64 data URL.");
      else fields.set(name, Buffer.from(text, 'latin1').toString('utf8'));
      state = 'behind';
    }
    text = '';
  }

  function step(letter: string): void {
    if (/[ \t\r\n]/.test(letter)) return;
    const isEmptyEnd = state === 'name' && isFirst && letter === '}';
    if (state === 'begin' && letter === '{') state = 'name';
    else if (isEmptyEnd || (state === 'behind' && letter === '}')) state = 'end';
    else if (state === 'name' && letter === '"') {
      state = 'in-name';
      isFirst = false;
    } else if (state === 'colon' && letter === ':') state = 'value';
    else if (state === 'value' && letter === '"') begin();
    else if (state === 'behind' && letter === ',') state = 'name';
    else throw invalid(state === 'value' ? `'${name}' must be a text.` : 'it is not a JSON object.');
  }

  function begin(): void {
    if (name !== 'dataUrl' && name !== 'name') throw invalid(`'${name.slice(0, 64)}' is not a field of the request.`);
    if (fields.has(name) || (name === 'dataUrl' && hasSound)) throw invalid(`it contains '${name}' twice.`);
    state = 'in-value';
  }

  return {
    feed(chunk) {
      for (let at = 0; at < chunk.length;) {
        if (state === 'in-name' || state === 'in-value' || state === 'in-sound') at = readText(chunk, at);
        else step(String.fromCharCode(chunk[at++] ?? 0));
      }
    },
    end() {
      if (state !== 'end') throw invalid('it is not a JSON object.');
      if (!hasSound) throw invalid("'dataUrl' is missing.");
      return { bytes: sound.end(), name: fields.get('name') };
    },
  };
}

/** Returns the position of the end of the text or of the next escape. */
function nextOf(chunk: Buffer, from: number): number {
  const end = chunk.indexOf(quote, from);
  const escape = chunk.subarray(from, end === -1 ? chunk.length : end).indexOf(backslash);
  if (escape !== -1) return from + escape;
  return end === -1 ? chunk.length : end;
}

function createDecoder(maxBytes: number, contentLength: number | undefined, makeError: MakeError): { take(letters: string): void; end(): Buffer } {
  let bytes = Buffer.allocUnsafe(Math.min(maxBytes, contentLength === undefined ? 64 * 1024 : Math.ceil((contentLength * 3) / 4)) + 3);
  let length = 0;
  /** Remainder of fewer than four characters. */
  let rest = '';
  let isPadded = false;

  function write(letters: string): void {
    const most = Math.ceil((letters.length * 3) / 4);
    if (length + most > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes + 3, Math.max(2 * bytes.length, length + most)) + most);
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    length += bytes.write(letters, length, 'base64');
    if (length > maxBytes) throw makeError('TOO_LARGE', { limit: maxBytes });
  }

  return {
    take(letters) {
      if (letters === '') return;
      if (isPadded ? !/^=?$/.test(letters) : !/^[A-Za-z0-9+/]*={0,2}$/.test(letters)) throw makeError('INVALID_REQUEST', { why: "'dataUrl' is not base64." });
      isPadded ||= letters.endsWith('=');
      const missing = rest === '' ? 0 : Math.min(4 - rest.length, letters.length);
      rest += letters.slice(0, missing);
      if (rest.length === 4) {
        write(rest);
        rest = '';
      }
      if (missing === letters.length) return;
      // Kept separate from the previous part to avoid a copy.
      const whole = letters.length - ((letters.length - missing) % 4);
      write(letters.slice(missing, whole));
      rest = letters.slice(whole);
    },
    end() {
      const letters = rest.replace(/=+$/, '');
      if (letters.length === 1) throw makeError('INVALID_REQUEST', { why: "'dataUrl' is not base64." });
      write(letters);
      return bytes.subarray(0, length);
    },
  };
}
