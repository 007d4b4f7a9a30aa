// Selects the viewer of a file by name and content. Pure.
import { pictureTypeOf } from '#lib/values';

/** Viewer of a file. `sealed`: a page in a sandboxed frame. */
export type PreviewKind = 'sealed' | 'drawing' | 'markdown' | 'table' | 'picture' | 'pdf';

export function previewKindOf(path: string, bytes: Uint8Array): PreviewKind | undefined {
  if (pictureTypeOf(bytes) !== undefined) return 'picture';
  if (bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46) return 'pdf';
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const kinds: Readonly<Record<string, PreviewKind>> = {
    ...({ html: 'sealed', htm: 'sealed', svg: 'drawing', md: 'markdown', markdown: 'markdown', csv: 'table', tsv: 'table' } as const),
  };
  return kinds[ending];
}

/** Returns the text; `undefined` for binary content. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
