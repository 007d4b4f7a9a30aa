// Opens the parts of an office document (docx, xlsx, pptx), which are XML files in a zip archive; limits their number and size.
import { strFromU8, unzipSync } from 'fflate';
import { walkXml } from './walk-xml.ts';

export interface OfficeArchive {
  readonly kind: 'docx' | 'xlsx' | 'pptx';
  /** Name of the main part: the text, the workbook or the presentation. */
  readonly main: string;
  /** Returns the XML of a part; `undefined` if there is none. */
  read(name: string): string | undefined;
  /** Returns the relations of a part by relation id, with the name of the related part. */
  relationsOf(name: string): ReadonlyMap<string, { readonly type: string; readonly target: string }>;
}

/** Maximum size of the XML in bytes, per part and in total, because a small archive can expand to far more. */
const maxPart = 64 * 1024 * 1024;
const maxAll = 160 * 1024 * 1024;
const maxParts = 20_000;

/** Opens an archive; returns `undefined` if it is not an office document. Throws if it is broken or too large. */
export function openOffice(bytes: Uint8Array): OfficeArchive | undefined {
  let parts = 0;
  let total = 0;
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (++parts > maxParts) throw new Error(`it has more than ${maxParts} parts`);
      if (!/\.(xml|rels)$/i.test(name)) return false;
      total += originalSize;
      if (originalSize > maxPart || total > maxAll) throw new Error('unpacked, it is too large');
      return true;
    },
  });
  const read = (name: string): string | undefined => {
    const found = files[name] ?? files[Object.keys(files).find((one) => one.toLowerCase() === name.toLowerCase()) ?? ''];
    return found && strFromU8(found);
  };
  const relationsOf: OfficeArchive['relationsOf'] = (name) => readRelations(name, read);
  const main = [...relationsOf('').values()].find(({ type }) => type.endsWith('/officeDocument'))?.target;
  if (main === undefined) return undefined;
  const kind = ({ word: 'docx', xl: 'xlsx', ppt: 'pptx' } as const)[main.split('/')[0]?.toLowerCase() ?? ''];
  return kind && { kind, main, read, relationsOf };
}

function readRelations(name: string, read: (name: string) => string | undefined): Map<string, { type: string; target: string }> {
  const parts = name.split('/');
  const last = parts.pop() ?? '';
  const found = new Map<string, { type: string; target: string }>();
  walkXml(read([...parts, '_rels', `${last}.rels`].join('/')) ?? '', {
    open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
      if (tag === 'Relationship' && TargetMode !== 'External') found.set(Id, { type: Type, target: resolvePart(parts, Target) });
    },
  });
  return found;
}

function resolvePart(folder: readonly string[], target: string): string {
  const parts = target.startsWith('/') ? [] : [...folder];
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
