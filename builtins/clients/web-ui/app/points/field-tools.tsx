// Renders a text field with the tools of plugins.
import { useCallback, useRef, type ReactNode } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import type { TextField } from './contribution.ts';
import { useContributions } from './use-contributions.ts';
import './field-tools.css';

interface Props {
  /** The text field. */
  readonly children: ReactNode;
  /** Elements after the tools. */
  readonly end?: ReactNode;
}

export function FieldTools({ children, end }: Props) {
  const tools = useContributions().flatMap(({ fieldTools = [] }) => fieldTools);
  const box = useRef<HTMLDivElement>(null);
  const field = useCallback(() => box.current?.querySelector<TextField>('textarea, input') ?? undefined, []);
  return (
    <div className="field-tools" ref={box}>
      {children}
      <HostOnly>
        {tools.map(({ title, Tool }) => (
          <Tool key={title} field={field} />
        ))}
      </HostOnly>
      {end}
    </div>
  );
}
