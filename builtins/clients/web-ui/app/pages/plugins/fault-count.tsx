// How many faults the server told of, beside the link to the page that lists them.
import { useClient, useStore } from '../../kit/hooks.ts';
import { tn } from '../../kit/t.ts';
import './fault-count.css';

export function FaultCount() {
  const { length } = useStore(useClient().faults);
  if (length === 0) return null;
  return (
    <span className="fault-count">
      {length}
      <span className="visually-hidden">{` ${tn(length, 'fault', 'faults')}`}</span>
    </span>
  );
}
