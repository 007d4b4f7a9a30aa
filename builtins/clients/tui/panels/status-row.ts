// Renders the status line between the conversation and the input field: activity, chat, model, and usage.
import type { ChatMeta, ChatState, ConnectionState } from 'agent-harness/client';
import { durationText, retryText, waitingText } from 'agent-harness/transcript';
import { oneLine } from '#lib/text';
import { cutRow, rowWidth } from '../screen/measure.ts';
import { spanOf, styles, type Row, type Span, type Style } from '../screen/spans.ts';

export interface StatusParts {
  readonly chat: ChatState | undefined;
  readonly meta: ChatMeta | undefined;
  readonly connection: ConnectionState | undefined;
  readonly defaultModel: string | undefined;
  /** Number of tokens in the newest request, and the size of the context window. */
  readonly context: { readonly used: number; readonly size: number } | undefined;
  readonly notice: string | undefined;
  /** Mode of the vim keys, if they are enabled. */
  readonly editing: string | undefined;
  /** Unix timestamp in milliseconds. */
  readonly now: number;
}

/** Share of the context window from which the usage is highlighted, because compression is near. */
const fullShare = 0.6;
const tightShare = 0.85;

export function statusRow(parts: StatusParts, columns: number): Row {
  const { editing } = parts;
  const left = [...(editing === undefined ? [] : [spanOf(`${editing}  `, styles.bold)]), ...leftOf(parts)];
  const right = rightOf(parts);
  // Kept narrower than the terminal: terminals split a full-width row when their width decreases.
  const isShort = rowWidth(left) + rowWidth(right) + 3 <= columns;
  return isShort && right.length > 0 ? [...left, spanOf('   ', styles.dim), ...right] : cutRow(left, columns);
}

function leftOf({ chat, connection, notice, now }: StatusParts): Row {
  if (notice !== undefined) return [spanOf(oneLine(notice, 300), styles.yellow)];
  if (!chat) return [spanOf('Connecting to the server …', styles.dim)];
  if (connection?.stream === 'refused') return [spanOf('The server no longer accepts the token.', styles.red)];
  if (connection?.stream === 'lost') return [spanOf('The connection is lost; reconnecting.', styles.yellow)];
  const { running } = chat;
  if (!running) return [spanOf(chat.isLoaded ? '/ commands  @ files  ctrl+t transcript' : 'Reading the conversation …', styles.dim)];
  if (running.retry && running.waitingFor === 'retry')
    return [spanOf(oneLine(retryText(running.retry, now), 300), styles.yellow), spanOf(' · /retry now · Esc stops', styles.dim)];
  const seconds = Math.max(0, Math.floor((now - Date.parse(running.startedAt)) / 1_000));
  return [
    spanOf('● ', styles.cyan),
    spanOf(
      `${waitingText(running.waitingFor)} · ${durationText(seconds * 1_000)
        .replace('0 ms', '0 s')
        .replace('.0 s', ' s')}`,
    ),
    spanOf(' · Esc stops', styles.dim),
  ];
}

function rightOf({ chat, meta, defaultModel, context }: StatusParts): Row {
  const parts: Span[] = [];
  const add = (text: string, style: Style = styles.dim): void => void parts.push(spanOf(`${parts.length > 0 ? ' · ' : ''}${text}`, style));
  const mode = meta?.mode;
  if (mode !== undefined && mode !== 'ask') add(mode);
  const model = meta?.model ?? chat?.running?.model ?? defaultModel;
  if (model !== undefined && model !== '') add(oneLine(model, 40));
  if (meta?.effort !== undefined) add(`effort ${meta.effort}`);
  const { input = 0, output = 0, cost } = chat?.usage ?? {};
  if (input + output > 0) add(`${shortNumber(input)} in ${shortNumber(output)} out`);
  if (context) {
    const share = Math.min(1, context.used / context.size);
    add(`${barOf(share)} ${Math.round(share * 100)} %`, share >= tightShare ? styles.red : share >= fullShare ? styles.yellow : styles.dim);
  }
  if (cost !== undefined && cost > 0) add(`$${cost < 0.1 ? cost.toFixed(3) : cost.toFixed(2)}`);
  return parts;
}

/** Renders the context usage with five characters. */
function barOf(share: number): string {
  const full = Math.round(share * 5);
  return '▰'.repeat(full) + '▱'.repeat(5 - full);
}

function shortNumber(count: number): string {
  if (count < 1_000) return String(count);
  return count < 999_500 ? `${(count / 1_000).toFixed(count < 9_950 ? 1 : 0)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
