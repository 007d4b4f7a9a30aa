// A value of a view, by its kind.
import type { Cell, CellKind, RowState } from 'agent-harness/view';
import { CircleCheck, Circle, CircleDot, CircleSlash, CircleX } from 'lucide-react';
import { formatCost, formatDate, formatDecimal, formatTime } from '../page/format.ts';
import { t, table } from '../t.ts';

const states = table({
  pending: { icon: Circle, label: 'Open##state of a row' },
  active: { icon: CircleDot, label: 'Under way' },
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
  if (typeof value === 'number') return kind === 'money' ? formatCost(value) : formatNumber(value);
  if (kind === 'time') return <time dateTime={value}>{/^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : formatTime(value)}</time>;
  if (kind === 'state' && isState(value)) return <State state={value} />;
  return <bdi>{t(value)}</bdi>;
}

export function formatNumber(value: number): string {
  return formatDecimal(value, Number.isInteger(value) ? 0 : Math.min(2, String(value).split('.')[1]?.length ?? 0));
}
