// Inlines the files that a workspace page references by relative paths (style sheets, scripts, images, fonts and sounds), because the page is displayed without
// network access. References to external and missing files stay unchanged.
import { posix } from 'node:path';
import { attributesOf, tokenize, type HtmlToken } from '#lib/html-tokens';
import { sealedGuard, sealedOut, shadowMode } from '#lib/sealed-guard';
import mime from 'mime';

export interface Neighbours {
  /** Returns the bytes of a file by its workspace path; `undefined` if it is unavailable. */
  read(path: string): Buffer | undefined;
  /** Nonce for the scripts, which are also inlined, after the guard script of a sandboxed page; without it, no script runs. */
  readonly nonce?: string;
}

const limits = { files: 200, bytes: 20_000_000, imports: 5 };
/** Attributes that reference an image, a sound or a video, by element. */
const sources: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  input: ['src'],
  image: ['href', 'xlink:href'],
};
const media = /^(?:image|font|audio|video)\//;

/** @param path path of the page in the workspace */
export function packPage(html: string, path: string, neighbours: Neighbours): string {
  const files = withinLimits(neighbours);
  const late: string[] = [];
  const parts = tokenize(html).tokens.map((token) => {
    const raw = html.slice(token.start, token.end);
    if (token.kind !== 'open' && token.kind !== 'raw') return raw;
    // Examines only the tag of a raw element, not its content.
    const attributes = attributesOf(html, token.kind === 'raw' ? { ...token, end: token.start + raw.indexOf('>') + 1 } : token);
    if (token.name === 'link') return packedLink(attributes, path, files);
    if (token.name === 'style') return packedStyles(raw, path, files);
    if (token.name === 'script') return packedScript(raw, attributes, { path, files, nonce: neighbours.nonce, late });
    return (sealedOut as readonly string[]).includes(token.name) ? '' : packedSources(raw, token, attributes, path, files);
  });
  const packed = neighbours.nonce === undefined ? parts.join('') : withGuard(parts.join(''), neighbours.nonce);
  const end = packed.search(/<\/body\s*>(?![^]*<\/body\s*>)/i);
  return late.length === 0 ? packed : end === -1 ? packed + late.join('') : packed.slice(0, end) + late.join('') + packed.slice(end);
}

/** Inserts the guard script after the doctype, without which browsers use another layout mode. */
function withGuard(page: string, nonce: string): string {
  const [doctype = ''] = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(page) ?? [];
  return `${doctype}<script nonce="${nonce}">${sealedGuard}</script>${page.slice(doctype.length).replaceAll(shadowMode, 'data-shadow')}`;
}

type Files = Pick<Neighbours, 'read'>;
type Attributes = ReturnType<typeof attributesOf>;

function withinLimits({ read }: Neighbours): Files {
  let [count, bytes] = [0, 0];
  return {
    read(path) {
      if (count >= limits.files || bytes >= limits.bytes) return undefined;
      const found = read(path);
      count++;
      bytes += found?.byteLength ?? 0;
      return bytes <= limits.bytes ? found : undefined;
    },
  };
}

/** Returns the workspace path of a URL; `undefined` if it leads outside the workspace. */
function placeOf(address: string, from: string): string | undefined {
  const [plain = ''] = address.trim().split(/[?#]/, 1);
  if (plain === '' || plain.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(plain)) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(plain);
  } catch {
    return undefined;
  }
  const place = decoded.startsWith('/') ? posix.normalize(decoded.slice(1)) : posix.join(posix.dirname(from), decoded);
  return place.startsWith('..') ? undefined : place;
}

function textAt(address: string, from: string, files: Files, type: RegExp): { readonly text: string; readonly place: string } | undefined {
  const place = placeOf(address, from);
  if (place === undefined || !type.test(mime.getType(place) ?? '')) return undefined;
  const text = files.read(place)?.toString('utf8');
  return text === undefined ? undefined : { text, place };
}

function dataAt(address: string, from: string, files: Files): string | undefined {
  const place = placeOf(address, from);
  const type = place === undefined ? null : mime.getType(place);
  if (place === undefined || type === null || !media.test(type)) return undefined;
  const bytes = files.read(place);
  return bytes && `data:${type};base64,${bytes.toString('base64')}`;
}

function packedLink(attributes: Attributes, path: string, files: Files): string {
  // Removes other links: a sandboxed page does not need them, but browsers resolve the host names of some of them regardless of the policy.
  if (!/(?:^|\s)stylesheet(?:\s|$)/i.test(attributes.get('rel') ?? '')) return '';
  const found = textAt(attributes.get('href') ?? '', path, files, /^text\/css$/);
  if (!found) return '';
  const condition = attributes.get('media');
  const css = packedCss(found.text, found.place, files).replaceAll(/<\/style/gi, '<\\/style');
  return `<style${condition === undefined ? '' : ` media="${condition.replaceAll('"', '&quot;')}"`}>${css}</style>`;
}

function packedStyles(raw: string, path: string, files: Files): string {
  const [, opening = '', css = '', closing = ''] = /^(<style[^>]*>)([^]*?)(<\/style[^>]*>)?$/i.exec(raw) ?? [];
  return opening === '' ? raw : `${opening}${packedCss(css, path, files)}${closing}`;
}

function packedCss(css: string, from: string, files: Files, depth = 0): string {
  const imported = css.replace(
    /@import\s+(?:url\(\s*)?(["']?)([^"')\s;]+)\1\s*\)?\s*([^;]*);/gi,
    (whole, _quote: string, address: string, condition: string) => {
      const found = depth < limits.imports ? textAt(address, from, files, /^text\/css$/) : undefined;
      if (!found) return whole;
      const inner = packedCss(found.text, found.place, files, depth + 1);
      return condition.trim() === '' ? inner : `@media ${condition.trim()} { ${inner} }`;
    },
  );
  return imported.replace(/url\(\s*(["']?)([^"')]+)\1\s*\)/gi, (whole, _quote: string, address: string) => {
    const data = dataAt(address, from, files);
    return data === undefined ? whole : `url("${data}")`;
  });
}

interface ScriptPlace {
  readonly path: string;
  readonly files: Files;
  readonly nonce: string | undefined;
  /** Deferred scripts, which run after the page. */
  readonly late: string[];
}

function packedScript(raw: string, attributes: Attributes, { path, files, nonce, late }: ScriptPlace): string {
  const address = attributes.get('src');
  if (nonce === undefined) return raw;
  const opening = `<script nonce="${nonce}"`;
  if (address === undefined) return raw.replace(/^<script/i, opening);
  const found = textAt(address, path, files, /javascript$/);
  if (!found) return raw;
  const isModule = attributes.get('type')?.toLowerCase() === 'module';
  const code = found.text.replaceAll(/<\/script/gi, '<\\/script').replaceAll('<!--', '<\\!--');
  const script = `${opening}${isModule ? ' type="module"' : ''}>${code}</script>`;
  if (isModule || !(attributes.has('defer') || attributes.has('async'))) return script;
  late.push(script);
  return '';
}

function packedSources(raw: string, { name }: HtmlToken, attributes: Attributes, path: string, files: Files): string {
  let tag = raw;
  for (const attribute of sources[name] ?? []) {
    const value = attributes.get(attribute);
    const data = value === undefined ? undefined : attribute === 'srcset' ? firstOfSet(value, path, files) : dataAt(value, path, files);
    if (data !== undefined) tag = withAttribute(tag, attribute, data);
  }
  const style = attributes.get('style');
  if (style?.includes('url(') === true) tag = withAttribute(tag, 'style', packedCss(style, path, files).replaceAll('"', "'"));
  return tag;
}

/** Returns the first image of a set; one is enough, because each image would be inlined. */
function firstOfSet(value: string, path: string, files: Files): string | undefined {
  const [address = ''] = value.trim().split(/[\s,]/, 1);
  return dataAt(address, path, files);
}

function withAttribute(tag: string, name: string, value: string): string {
  return tag.replace(new RegExp(`(\\s${name}\\s*=\\s*)("[^"]*"|'[^']*'|[^\\s>]+)`, 'i'), (_, before: string) => `${before}"${value}"`);
}
