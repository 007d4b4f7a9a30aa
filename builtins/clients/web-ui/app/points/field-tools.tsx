// A text field with the tools of plugins.
import { useCallback, useRef, type ReactNode } from 'react';
import { HostOnly } from '../kit/host-only.tsx';
import type { TextField } from './contribution.ts';
import { useContributions } from './use-contributions.ts';
import './field-tools.css';

/** `children`: the field. */
export function FieldTools({ children }: { readonly children: ReactNode }) {
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
    </div>
  );
}
