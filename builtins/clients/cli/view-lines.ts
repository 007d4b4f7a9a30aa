// Renders a view as coloured lines for the command line.
import { makeSafe } from '#lib/terminal';
import { textOfLine, viewParts, type LineOptions, type Look, type View } from 'agent-harness/view';
import type { Paint } from './paint.ts';

export function paintedView(view: View, options: LineOptions, paint: Paint): string[] {
  return viewParts(view, options).flatMap((part) =>
    'markdown' in part
      ? makeSafe(part.markdown).trimEnd().split('\n')
      : part.lines.map((line) => textOfLine(line.map((run) => ({ text: brushOf(paint, run.look)(run.text) })))),
  );
}

function brushOf({ bold, dim, red, green, yellow }: Paint, look: Look | undefined): (text: string) => string {
  const brushes = { strong: bold, weak: dim, good: green, bad: red, busy: yellow, accent: bold };
  return look === undefined ? (text) => text : brushes[look];
}
