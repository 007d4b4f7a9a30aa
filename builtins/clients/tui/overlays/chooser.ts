// Implements a filterable list in which the user selects a chat or a model.
import { oneLine } from '#lib/text';
import { cutRow } from '../screen/measure.ts';
import { rowOf, spanOf, styles, type Row } from '../screen/spans.ts';
import type { Layer } from '../composer/layer.ts';
import { windowOf } from './choice-window.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

export interface Chooser extends Layer {
  open(title: string, choices: readonly Choice[], onPick: (value: string) => void): void;
}

const shownChoices = 10;

export function createChooser(): Chooser {
  let asked: { readonly title: string; readonly choices: readonly Choice[]; readonly onPick: (value: string) => void } | undefined;
  let query = '';
  let chosen = 0;

  const fitting = (): readonly Choice[] => {
    const wanted = query.toLowerCase();
    return asked?.choices.filter(({ label, detail = '' }) => `${label} ${detail}`.toLowerCase().includes(wanted)) ?? [];
  };

  return {
    open(title, choices, onPick) {
      asked = { title, choices, onPick };
      query = '';
      chosen = 0;
    },
    rows(columns, most) {
      if (!asked) return [];
      const room = Math.max(1, Math.min(shownChoices, most - 2));
      const rows = windowOf(fitting(), chosen, room).map(({ choice, isChosen }): Row => {
        const style = isChosen ? styles.reverse : styles.plain;
        return cutRow(
          [spanOf(`  ${oneLine(choice.label, 100)}`, style), spanOf(choice.detail === undefined ? '' : `  ${oneLine(choice.detail, 200)}`, styles.dim)],
          columns,
        );
      });
      const head = [spanOf(asked.title, styles.bold), spanOf(query === '' ? '  (type to filter, Esc goes back)' : `  ${query}`, styles.dim)];
      return [cutRow(head, columns), ...(rows.length > 0 ? rows : [rowOf('  No matches.', styles.dim)])];
    },
    key({ name, text, ctrl, alt }) {
      if (!asked || ctrl || alt) return false;
      const found = fitting();
      if (name === 'escape') asked = undefined;
      else if (name === 'up' || name === 'down') chosen = (chosen + (name === 'up' ? Math.max(1, found.length) - 1 : 1)) % Math.max(1, found.length);
      else if (name === 'enter') {
        const { onPick } = asked;
        const value = found[chosen]?.value;
        asked = undefined;
        if (value !== undefined) onPick(value);
      } else if (name === 'backspace') query = query.slice(0, -1);
      else if (text !== '') {
        query += text;
        chosen = 0;
      }
      return true;
    },
  };
}
