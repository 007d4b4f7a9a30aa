import type { createMarkdownStream } from '../../../../builtins/clients/tui/rows/stream-markdown.ts';
import type { Frame } from '../../../../builtins/clients/tui/screen/frame.ts';
import { rowOf } from '../../../../builtins/clients/tui/screen/spans.ts';

export function streamedFrame(stream: ReturnType<typeof createMarkdownStream>, said: string, isWhole: boolean, columns: number): Frame {
  const { commits, live } = stream.take(said, isWhole, columns - 1);
  const rows = [...live.slice(-8), [], rowOf('Thinking, and Esc stops it'), rowOf('> what is being written')];
  return { commits, rows, caret: { row: rows.length - 1, column: 4 } };
}
