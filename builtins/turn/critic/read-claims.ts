// Extracts the claims of an answer that can be checked: named files and quoted code. Pure.

export interface Claims {
  /** Paths as written in the answer, without line numbers or duplicates. */
  readonly paths: readonly string[];
  readonly snippets: readonly { readonly path: string; readonly code: string }[];
  /** Number of lines in code blocks. */
  readonly codeLines: number;
}

interface Fence {
  readonly mark: string;
  readonly path: string | undefined;
  readonly lines: string[];
}

const extensions =
  'tsx?|jsx?|mjs|cjs|mts|json|jsonl|md|mdx|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|css|scss|html?|vue|svelte|ya?ml|toml|ini|sql|txt|csv|xml|lock';
/** Matches a path with a folder anywhere in a line, but not in a URL. */
const folderPath = new RegExp(`(?<![\\w/:@.*~-])((?:\\.{0,2}/)?(?:[\\w@.+-]+/)+[\\w@.+-]*\\.(?:${extensions}))(?![\\w/*-]|\\.\\w)`, 'g');
/** Matches a name without a folder, which must be marked as code. */
const namedFile = new RegExp(`\`([\\w@+-][\\w@.+-]*\\.(?:${extensions}))(?::\\d+(?:[-:]\\d+)?)?\``, 'g');
const products = /^(node|next|vue|nuxt|react|express|three|d3|chart|deno|bun)\.js$/i;
/** Matches lines that state that something is missing or does not exist yet. */
const unreal =
  /\b(delet|remov|renam|moved?\b|no longer|missing|there is no|no such|does(?:n't| not) exist|not found|would|could|should|instead|you can|please create|to create|e\.g\.|for example|suggest|propos|chang(?:e|ing) .* to\b|replace)/i;
const notAQuote = /^(diff|patch|sh|bash|zsh|shell|console|text|txt|output|log|mermaid)$/i;
const fenceLine = /^\s*(`{3,}|~{3,})\s*([^\s`]*)\s*([^`]*)$/;
const maxPaths = 40;
const maxSnippets = 10;

export function readClaims(answer: string): Claims {
  const paths = new Set<string>();
  const snippets: { path: string; code: string }[] = [];
  let codeLines = 0;
  let fence: Fence | undefined;
  let before = '';
  for (const line of answer.split('\n')) {
    const opening = fenceLine.exec(line);
    if (fence) {
      if (line.trim().startsWith(fence.mark) && line.trim().replaceAll(fence.mark[0] ?? '', '') === '') {
        if (fence.path !== undefined && snippets.length < maxSnippets) snippets.push({ path: fence.path, code: fence.lines.join('\n') });
        fence = undefined;
        before = '';
      } else {
        codeLines++;
        fence.lines.push(line);
      }
      continue;
    }
    if (opening) {
      fence = { mark: opening[1] ?? '', path: quotedPath(opening[2] ?? '', opening[3] ?? '', before), lines: [] };
      continue;
    }
    if (!isUnreal(line)) for (const path of pathsIn(line)) if (paths.size < maxPaths) paths.add(path);
    if (line.trim() !== '') before = line;
  }
  return { paths: [...paths], snippets, codeLines };
}

/** Returns whether there is enough to check: several files, or code. */
export function isWorthChecking({ paths, codeLines }: Claims): boolean {
  return paths.length >= 2 || codeLines >= 3 || (paths.length > 0 && codeLines > 0);
}

/** Returns the file that a code block quotes: it is named in the first line of the block, or alone on the line before it. */
function quotedPath(language: string, more: string, before: string): string | undefined {
  if (notAQuote.test(language) || isUnreal(before)) return undefined;
  const own = pathsIn(`${language.replace(/^\w+:/, '')} ${more.replace(/^(?:title|file|filename)=/, '').replaceAll('"', ' ')}`);
  const named = own.length > 0 ? own : pathsIn(before);
  return named.length === 1 ? named[0] : undefined;
}

/** Returns whether a line is about something that does not exist. Ignores file names, because a file such as `missing.ts` may exist. */
function isUnreal(line: string): boolean {
  return unreal.test(line.replace(/`[^`]*`/g, '').replace(folderPath, ''));
}

function pathsIn(line: string): string[] {
  const found = [...line.matchAll(folderPath), ...line.matchAll(namedFile)].map((match) => (match[1] ?? '').replace(/^\.\//, ''));
  return [...new Set(found)].filter((path) => !products.test(path));
}
