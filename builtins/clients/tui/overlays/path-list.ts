// Lists the workspace paths that match the text after an `@`.
import { oneLine } from '#lib/text';
import type { ComposerField } from '../composer/field.ts';
import type { Layer } from '../composer/layer.ts';
import { cutRow } from '../screen/measure.ts';
import type { Key } from '../screen/keys.ts';
import { spanOf, styles, type Row } from '../screen/spans.ts';
import { windowOf } from './choice-window.ts';

export interface PathListParts {
  readonly field: ComposerField;
  /** Returns the matching paths, best match first. */
  find(query: string, signal: AbortSignal): Promise<readonly string[]>;
  redraw(): void;
  submit(): void;
}

const shownPaths = 6;
/** Matches a mention at the caret; a path with spaces is quoted. */
const mention = /(?:^|\s)@("[^"\n]*|[^\s"]*)$/;

export function createPathList({ field, find, redraw, submit }: PathListParts): Layer {
  /** The current query; undefined while no path is typed. */
  let query: string | undefined;
  /** Result of the last query; `isAsking` is true while another query is running. */
  let found: readonly string[] = [];
  let isAsking = false;
  let chosen = 0;
  /** A key that was pressed before the result arrived. */
  let early: 'tab' | 'enter' | undefined;
  /** Text for which the user closed the list. */
  let closedFor: string | undefined;
  let asking = new AbortController();

  function written(): string | undefined {
    if (field.isBorrowed || closedFor === field.text) return undefined;
    return mention.exec(field.text.slice(0, field.editor.caret))?.[1];
  }

  /** Updates the list for the current text. */
  function look(): void {
    const now = written()?.replace('"', '');
    if (now === query) return;
    asking.abort();
    query = now;
    isAsking = now !== undefined;
    early = undefined;
    chosen = 0;
    if (now === undefined) found = [];
    else void ask(now, (asking = new AbortController()).signal);
  }

  async function ask(wanted: string, signal: AbortSignal): Promise<void> {
    // If there is no response, the user must type the complete path.
    const paths = await find(wanted, signal).catch(() => []);
    if (signal.aborted) return;
    isAsking = false;
    // Only a visible and unambiguous path is inserted. A complete path needs no list.
    const clear = paths.filter((path) => oneLine(path) === path && !path.includes('"'));
    found = clear.length === 1 && clear[0] === wanted ? [] : clear;
    const key = early;
    early = undefined;
    // Applies the early key only if the text has not changed since the query.
    if (key !== undefined && written()?.replace('"', '') === wanted) {
      if (found.length > 0) complete();
      else if (key === 'enter') submit();
    }
    redraw();
  }

  function complete(): void {
    const path = found[chosen];
    const { text, caret } = field.editor;
    const begun = written();
    if (path === undefined || begun === undefined) return;
    const isFolder = path.endsWith('/');
    const quoted = path.includes(' ') ? `"${path}${isFolder ? '' : '"'}` : path;
    const rest = text.slice(caret);
    // The user continues typing inside a folder.
    const after = isFolder || /^\s/.test(rest) ? '' : ' ';
    const before = `${text.slice(0, caret - begun.length)}${quoted}${after}`;
    field.editor.set(before + rest, before.length);
  }

  return {
    rows(columns) {
      look();
      return windowOf(found, chosen, shownPaths).map(({ choice, isChosen }): Row =>
        cutRow([spanOf(`  ${choice}`, isChosen ? styles.reverse : styles.plain)], columns),
      );
    },
    key({ name, ctrl, alt, shift }: Key) {
      look();
      if (query === undefined || ctrl || alt || shift) return false;
      const isPick = name === 'tab' || name === 'enter';
      if (isAsking && isPick) early = name;
      else if (found.length === 0) return false;
      else if (name === 'up' || name === 'down') chosen = (chosen + (name === 'up' ? found.length - 1 : 1)) % found.length;
      else if (name === 'escape') closedFor = field.text;
      else if (isPick) complete();
      else return false;
      return true;
    },
  };
}
