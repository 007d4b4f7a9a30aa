// Renders a value in a view according to its kind.
import type { Cell, CellKind, RowState } from 'agent-harness/view';
import { clip } from '#lib/text';
import { CircleCheck, Circle, CircleDot, CircleSlash, CircleX } from 'lucide-react';
import { formatCost, formatDecimal, formatLongServerDay, formatPercent, formatServerDate, formatServerDay, formatTime } from '../page/format.ts';
import { table } from '../t.ts';
import { pluginText } from './plugin-text.ts';

const states = table({
  pending: { icon: Circle, label: 'Open##state of a row' },
  active: { icon: CircleDot, label: 'In progress' },
  done: { icon: CircleCheck, label: 'Done' },
  failed: { icon: CircleX, label: 'Failed' },
  stopped: { icon: CircleSlash, label: 'Stopped' },
});

const isState = (value: unknown): value is RowState => typeof value === 'string' && Object.hasOwn(states, value);

export function State({ state, isQuiet = false }: { readonly state: RowState; readonly isQuiet?: boolean }) {
  const { icon: Icon, label } = states[state];
  return (
    <span className="view-state" data-state={state}>
      <Icon size={15} aria-hidden /> <span className={isQuiet ? 'visually-hidden' : undefined}>{label}</span>
    </span>
  );
}

export function Value({ value, kind }: { readonly value: Cell; readonly kind?: CellKind | undefined }) {
  if (value === null) return <span className="muted">–</span>;
  if (typeof value === 'number') return kind === 'share' ? <Share share={value} /> : kind === 'money' ? formatCost(value) : formatNumber(value);
  if (kind === 'time') return <time dateTime={value}>{isDay(value) ? formatServerDate(value) : formatTime(value)}</time>;
  if (kind === 'state' && isState(value)) return <State state={value} />;
  return <bdi>{pluginText(value)}</bdi>;
}

function Share({ share }: { readonly share: number }) {
  return (
    <span className="view-share">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.min(1, Math.max(0, share)) * 100} height={4} />
      </svg>{' '}
      {formatPercent(share)}
    </span>
  );
}

/** Formats the label of a chart as a full text and a short text for limited space. */
export function chartLabel(label: string, kind: CellKind | undefined): { readonly long: string; readonly short: string } {
  if (kind !== 'time') return { long: label, short: clip(label, 9) };
  return isDay(label) ? { long: formatLongServerDay(label), short: formatServerDay(label) } : { long: formatTime(label), short: formatTime(label) };
}

/** Returns whether values of this kind are right-aligned. */
export function isNumeric(kind: CellKind | undefined): boolean {
  return kind === 'number' || kind === 'money' || kind === 'share';
}

/** Returns whether the value is a date without a time, which does not depend on the time zone. */
function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

export function formatNumber(value: number): string {
  return formatDecimal(value, Number.isInteger(value) ? 0 : Math.min(2, String(value).split('.')[1]?.length ?? 0));
}
