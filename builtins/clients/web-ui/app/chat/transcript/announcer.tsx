// Says to screen readers what a sighted reader sees happen: a reply is done, somebody is asked.
import type { ChatState } from 'agent-harness/client';
import { useState } from 'react';
import { type Heard, listen } from './announcements.ts';

export function Announcer({ state }: { readonly state: ChatState }) {
  const [heard, setHeard] = useState<Heard>(() => listen(undefined, state));
  const next = listen(heard, state);
  if (next !== heard) setHeard(next);
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {next.words}
    </p>
  );
}
