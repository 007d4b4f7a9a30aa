// Lists the commands that match the text after a slash: commands of the server, of plugins, and of this terminal UI.
import { oneLine } from '#lib/text';
import type { ComposerField } from '../composer/field.ts';
import { cutRow } from '../screen/measure.ts';
import type { Key } from '../screen/keys.ts';
import { rowOf, spanOf, styles, type Row } from '../screen/spans.ts';
import type { Layer } from '../composer/layer.ts';
import { windowOf } from './choice-window.ts';

export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  /** Arguments of the command. */
  readonly places?: readonly unknown[];
}

export interface CommandListParts {
  readonly field: ComposerField;
  /** Returns all commands. Called often. */
  readonly commands: () => readonly ListedCommand[];
}

const shownCommands = 6;
/** Maximum width of a name with its usage, in columns. */
const longestName = 28;

export function createCommandList({ field, commands }: CommandListParts): Layer {
  let chosen = 0;
  let chosenFor = '';
  /** Text for which the user closed the list. */
  let closedFor: string | undefined;

  function fitting(): readonly ListedCommand[] {
    const written = /^\/([\w-]*)$/.exec(field.text)?.[1];
    if (written === undefined || field.isBorrowed || closedFor === field.text) return [];
    if (chosenFor !== written) chosen = 0;
    chosenFor = written;
    const found = commands().filter(({ name }) => name.startsWith(written));
    // Enter runs a complete command, so no list is needed.
    return found.length === 1 && found[0]?.name === written ? [] : found;
  }

  return {
    rows(columns, most) {
      const found = fitting();
      if (found.length === 0) return [];
      const names = found.map(({ name, usage }) => oneLine(`/${name}${usage === undefined ? '' : ` ${usage}`}`, longestName));
      const width = Math.max(...names.map((name) => name.length));
      const shown = windowOf(found, chosen, Math.min(shownCommands, Math.max(1, most - 1)));
      const rows = shown.map(({ choice, isChosen }): Row =>
        cutRow(
          [
            spanOf(`  ${names[found.indexOf(choice)]?.padEnd(width)}`, isChosen ? styles.reverse : styles.bold),
            spanOf(`  ${oneLine(choice.summary, 200)}`, styles.dim),
          ],
          columns,
        ),
      );
      const hidden = found.length - shown.length;
      return hidden === 0 ? rows : [...rows, rowOf(`  ${hidden} more (↑↓)`, styles.dim)];
    },
    key({ name, ctrl, alt }: Key) {
      const found = fitting();
      if (found.length === 0 || ctrl || alt) return false;
      if (name === 'up' || name === 'down') chosen = (chosen + (name === 'up' ? found.length - 1 : 1)) % found.length;
      else if (name === 'escape') closedFor = field.text;
      else if (name === 'tab' || name === 'enter') {
        const command = found[chosen];
        field.editor.set(`/${command?.name ?? ''}${command?.usage === undefined || name === 'enter' ? '' : ' '}`);
        closedFor = field.text;
        // A command without arguments runs immediately.
        return name === 'tab' || command?.places !== undefined || (command?.usage !== undefined && !command.usage.startsWith('['));
      } else return false;
      return true;
    },
  };
}
