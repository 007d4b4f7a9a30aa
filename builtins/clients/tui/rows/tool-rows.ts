// Renders a tool call as a card: a line with its subject, and the first lines of its result.
import { answerLabel, callText, decisionText, durationText, isCallOver, outputText, viewOfResult, viewOfTask, type ToolEntry } from 'agent-harness/transcript';
import { oneLine } from '#lib/text';
import { renderOutput } from '#lib/terminal';
import { cutRow } from '../screen/measure.ts';
import { viewRows } from './view-rows.ts';
import { rowOf, spanOf, styles, type Row, type Span, type Style } from '../screen/spans.ts';

/** Maximum number of lines of an output in a card. */
const outputLines = 5;
const diffLines = 16;
/** Maximum number of rows of a view. */
const viewLines = 40;
/** Maximum number of displayed calls of a task; older calls are omitted. */
const taskCalls = 3;

const marks: Readonly<Record<ToolEntry['state'], readonly [sign: string, style: Style]>> = {
  writing: ['◌', styles.dim],
  queued: ['◌', styles.dim],
  waiting: ['?', styles.yellow],
  running: ['◌', styles.cyan],
  ok: ['✓', styles.green],
  failed: ['✗', styles.red],
  denied: ['–', styles.yellow],
  stopped: ['–', styles.dim],
  interrupted: ['–', styles.yellow],
  expired: ['–', styles.yellow],
};

/** @param isWhole whether to show all lines of the result, as in the full transcript */
export function toolRows(entry: ToolEntry, columns: number, isWhole = false): Row[] {
  const rows: Row[] = [cutRow(headOf(entry), columns)];
  const note = (text: string, style: Style = styles.dim): void => void rows.push(cutRow(rowOf(`  ${oneLine(text, 400)}`, style), columns));
  if (entry.decision?.saidBy !== undefined || entry.decision?.decision === 'reject') note(decisionText(entry.decision));
  if (entry.answer !== undefined) note(`${answerLabel(entry)} ${entry.answer}`, styles.plain);
  const task = viewOfTask(entry, { calls: taskCalls, isBrief: true });
  if (task) rows.push(...viewRows(task, columns, { isCut: true }));
  const view = viewOfResult(entry);
  const output = outputText(entry);
  if (!isCallOver(entry)) {
    const newest = entry.progress.at(-1);
    if (newest !== undefined && newest.trim() !== '') note(renderOutput(newest));
  } else if (view !== undefined) {
    const most = entry.view === undefined ? diffLines : viewLines;
    rows.push(...cutLines(viewRows(view, columns, { isCut: entry.view === undefined && !isWhole }), isWhole ? Infinity : most, columns));
  } else if (output !== undefined && output.trim() !== '') {
    const lines = renderOutput(output).trimEnd().split('\n');
    const shown = lines.slice(0, isWhole ? lines.length : outputLines + 1);
    const own = shown.map((line) => rowOf(`  ${line}`, entry.ok === false && !isWhole ? styles.plain : styles.dim));
    rows.push(...cutLines(own, isWhole ? Infinity : outputLines, columns, lines.length));
  }
  for (const image of entry.images ?? []) note(`[picture] ${image.name}`);
  return rows;
}

function headOf(entry: ToolEntry): Row {
  const [sign, style] = marks[entry.state];
  const about = oneLine(callText(entry), 200);
  const spans: Span[] = [spanOf(`${sign} `, style), spanOf(oneLine(entry.name, 64), styles.bold)];
  if (about !== '') spans.push(spanOf(` ${about}`));
  if (entry.durationMs !== undefined && entry.durationMs >= 1_000) spans.push(spanOf(`  ${durationText(entry.durationMs)}`, styles.dim));
  return spans;
}

function cutLines(rows: readonly Row[], most: number, columns: number, all = rows.length): Row[] {
  const shown = rows.slice(0, most).map((row) => (most === Infinity ? row : cutRow(row, columns)));
  return all > most ? [...shown, rowOf(`  … ${all - most} more lines, ctrl+t shows them`, styles.dim)] : shown;
}
