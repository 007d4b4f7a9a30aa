// Derives a file name, valid in all file systems and note programs, from the title of a note.
import { failure } from '#lib/errors';

const maxBytes = 120;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Returns the file name, which may contain letters of all scripts. Throws a failure if no characters remain. */
export function fileNameFor(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[\\/:*?"<>|#^[\]\u0000-\u001f\u007f]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const name = cut(plain);
  if (name === '') throw failure(`The title "${title}" yields no file name.`, 'Pass a title with letters, or a path.');
  return reserved.test(name) ? `${name}_` : name;
}

function cut(name: string): string {
  let end = '';
  for (const character of name) {
    if (Buffer.byteLength(end + character) > maxBytes) break;
    end += character;
  }
  return end.trimEnd();
}
