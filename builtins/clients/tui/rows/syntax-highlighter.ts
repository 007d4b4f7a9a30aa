// Highlights code in the colours of the terminal theme. A grammar is loaded with the first code block in its language.
import { rowOf, type Row } from '../screen/spans.ts';
import type { Painter } from './code-grammars.ts';

export interface ColoredBlock {
  /** Receives complete lines in order, each once. Returns one row per line. */
  take(lines: readonly string[]): Row[];
  /** Highlights the incomplete line without storing it. */
  peek(line: string): Row;
}

export interface CodeColors {
  /** Starts a code block. `undefined`: no highlighting. `'coming'`: call it again after the next `onLoaded`. @param language language tag of the fence */
  begin(language: string): ColoredBlock | 'coming' | undefined;
}

export const noColors: CodeColors = { begin: () => undefined };

/** Uses only grammars that are already loaded, for immediate rendering. */
export function loadedColors(colors: CodeColors): CodeColors {
  return {
    begin(language) {
      const block = colors.begin(language);
      return block === 'coming' ? undefined : block;
    },
  };
}

/** Maximum length, in characters, of a line and of the context that is parsed again with each line. */
const longestLine = 500;
const longestContext = 4_000;

/** @param onLoaded called when a grammar has been loaded or failed to load */
export function createCodeColors(onLoaded: () => void): CodeColors {
  let painterOf: ((language: string) => Painter | undefined) | 'coming' | undefined;
  return {
    begin(given) {
      const language = /^[\w#+.-]+/.exec(given.trim())?.[0].toLowerCase();
      if (language === undefined) return undefined;
      if (painterOf === undefined) {
        painterOf = 'coming';
        import('./code-grammars.ts')
          .then((grammars) => (painterOf = grammars.painterOf))
          .catch(() => (painterOf = () => undefined)) // the installation is being replaced: code is not highlighted
          .finally(onLoaded);
      }
      if (painterOf === 'coming') return 'coming';
      const paint = painterOf(language);
      return paint && createColoredBlock(paint);
    },
  };
}

function createColoredBlock(paint: Painter): ColoredBlock {
  /** Text since the last position at which no construct was open. */
  let context = '';
  let isPlain = false;

  function rowsBehind(text: string): { readonly rows: readonly Row[]; readonly isClosed: boolean } | undefined {
    const painted = paint(context + text);
    return painted && { ...painted, rows: painted.rows.slice(context.split('\n').length - 1) };
  }

  return {
    take(lines) {
      if (lines.length === 0) return [];
      isPlain ||= context.length > longestContext || lines.some((line) => line.length > longestLine);
      const text = `${lines.join('\n')}\n`;
      const painted = isPlain ? undefined : rowsBehind(text);
      if (!painted) {
        isPlain = true;
        return lines.map((line) => rowOf(line));
      }
      context = painted.isClosed ? '' : context + text;
      return lines.map((_, at) => painted.rows[at] ?? []);
    },
    peek(line) {
      const isTooLong = isPlain || line.length > longestLine || context.length > longestContext;
      return (isTooLong ? undefined : rowsBehind(line)?.rows[0]) ?? rowOf(line);
    },
  };
}
